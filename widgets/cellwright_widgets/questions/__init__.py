"""Cards that ask the person something: approvals with their forms and grants, and questions of tools."""
