"""One call on its way from the model's words to its result, and the calls of a turn beside each other.

Begin with `pipeline`: its list of stages is the whole story.
"""
