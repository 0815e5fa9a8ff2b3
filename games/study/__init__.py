"""A study's folder: design, materials, open choices, prompts; loaded strictly."""
