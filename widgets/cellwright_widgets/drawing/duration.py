"""How long something took, in words; `static/clock.js` writes the same."""


def duration(seconds: float) -> str:
    """Such as `0.3 s`, `42 s` or `3 min 05 s`."""
    seconds = max(0.0, seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"
