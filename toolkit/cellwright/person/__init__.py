"""The person is asked: the question as it reads, the answers there are, and what a grant is good for."""
