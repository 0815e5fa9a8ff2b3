"""What print says: rounding, tables, counts behind shares, and ways to compute a number again."""
