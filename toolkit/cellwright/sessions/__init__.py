"""Runs that are over, taken up again: loaded, mended, resumed, forked, replayed, compared, written down for people."""
