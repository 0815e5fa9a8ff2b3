"""What simulation says of intervals that the product shows, in the words in which it is shown."""

from __future__ import annotations

IMPUTED = (
    "Coverage of these 95 % intervals in simulation: 95 to 99 % of AIDG-I studies, shares and "
    "ratings alike; of AIDG-II it was not simulated."
)
