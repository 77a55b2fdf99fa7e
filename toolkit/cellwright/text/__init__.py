"""Texts as a reader meets them: counted, compared, cleaned, with nothing hidden and no secret left in."""
