"""Panels of judges over a run: what is put to them, their verdicts, consensus and sheets."""
