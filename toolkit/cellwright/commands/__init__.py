"""Commands of the shell on their way: started in a group of their own, read while they write, ended as one."""
