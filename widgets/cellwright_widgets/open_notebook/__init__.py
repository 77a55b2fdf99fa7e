"""The notebook that is open in the browser, read and edited there: the way to its page and back."""
