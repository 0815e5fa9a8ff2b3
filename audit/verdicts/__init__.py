"""Raters against each other: consensus, readjudication, sampling."""
