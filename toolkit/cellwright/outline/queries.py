"""What a definition looks like, language by language: patterns on syntax trees, and first lines known by sight.

The patterns name nodes and fields of the grammars that `semble-grammars` ships. Of names that are only given a value
those at the top level count, or an outline would list every step of a calculation. Source: the `node-types.json` and
`tags.scm` of each grammar's repository.
"""

from __future__ import annotations

PYTHON = """
(class_definition name: (identifier) @name body: (_)? @body) @class
(function_definition name: (identifier) @name body: (_)? @body) @function
(module (expression_statement (assignment left: (identifier) @name) @variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @variable))
(module (type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type)
"""
PYTHON_HEADS = {"class": r"[ \t]*class[ \t]+(\w+)", "function": r"[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)"}

R = """
(binary_operator
  lhs: [(identifier) (string) (extract_operator)] @name
  operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_)? @body)) @function
(binary_operator
  lhs: (parenthesized_expression (function_definition))
  operator: ["->" "->>"]
  rhs: (identifier) @name) @function
(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "=" "<<-"]
  rhs: (call function: (_) @callee (#match? @callee "(R6Class|setRefClass|setClass|new_class|ggproto)$"))) @class
(program
  (call
    function: (_) @callee
    arguments: (arguments . (argument value: (string (string_content) @name)))
    (#match? @callee "^(methods::)?(setClass|setClassUnion|setRefClass)$")) @class)
(program
  (call
    function: (_) @callee
    arguments: (arguments . (argument value: (string (string_content) @name)))
    (#match? @callee "^(methods::)?(setGeneric|setMethod|setValidity)$")) @function)
(argument name: (identifier) @name value: (function_definition body: (_)? @body)) @member
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @variable)
"""
R_HEADS = {"function": r"[ \t]*([\w.]+|`[^`\n]+`)[ \t]*(?:<<?-|=)[ \t]*(?:function\b|\\\()"}

_JULIA_TYPE = """(type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))]) @head"""
JULIA = f"""
(module_definition name: (identifier) @name) @module
(function_definition (signature (identifier) @name) @head) @function
(function_definition (signature (call_expression . (_) @name)) @head) @function
(function_definition (signature (_ . (call_expression . (_) @name))) @head) @function
(function_definition (signature (_ . (_ . (call_expression . (_) @name)))) @head) @function
(assignment . (call_expression . (_) @name) @head) @function
(assignment . (_ . (call_expression . (_) @name)) @head) @function
(assignment . (_ . (_ . (call_expression . (_) @name))) @head) @function
(assignment . (identifier) @name . (operator) . [(arrow_function_expression) (function_definition)]) @function
(macro_definition (signature (call_expression . (_) @name)) @head) @macro
(struct_definition {_JULIA_TYPE}) @struct
(abstract_definition {_JULIA_TYPE}) @type
(primitive_definition {_JULIA_TYPE}) @type
(const_statement (assignment . (identifier) @name)) @variable
(source_file (assignment . (identifier) @name) @variable)
(module_definition (block (assignment . (identifier) @name) @variable))
"""
JULIA_HEADS = {
    "module": r"[ \t]*(?:bare)?module[ \t]+(\w+)",
    "struct": r"[ \t]*(?:mutable[ \t]+)?struct[ \t]+(\w+)",
    "macro": r"[ \t]*macro[ \t]+([\w!]+)",
    "function": r"[ \t]*(?:@\w+[ \t]+)*function[ \t]+([\w.!:]+)",
}

_SQL_KINDS = ("table", "view", "materialized_view", "function", "type", "trigger")
SQL = """
(create_table (object_reference) @name (column_definitions) @head) @table
(create_function (object_reference) @name (function_arguments) @head) @function
(create_index column: (identifier) @name (object_reference) @head) @index
(create_schema (identifier) @name) @schema
(cte (identifier) @name (_)) @query
""" + "\n".join(
    f"(create_{kind} (object_reference) @name @head) @{'view' if 'view' in kind else kind}" for kind in _SQL_KINDS
)
_SQL_PART = r"(?:[\w$#@]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])"
_SQL_NAME = rf"(?:if\s+not\s+exists\s+)?({_SQL_PART}(?:\.{_SQL_PART})*)"
_SQL_CREATE = r"(?i)\s*create\s+(?:or\s+(?:replace|alter)\s+)?"
SQL_HEADS = {
    "table": rf"{_SQL_CREATE}(?:(?:global|local|temp|temporary|unlogged|external|virtual)\s+)*table\s+{_SQL_NAME}",
    "view": rf"{_SQL_CREATE}(?:(?:materialized|temp|temporary|recursive)\s+)*view\s+{_SQL_NAME}",
    "function": rf"{_SQL_CREATE}(?:(?:aggregate|temp|temporary)\s+)*(?:function|procedure|proc|macro)\s+{_SQL_NAME}",
    "index": rf"{_SQL_CREATE}(?:unique\s+)?(?:(?:non)?clustered\s+)?index\s+(?:concurrently\s+)?{_SQL_NAME}",
    "trigger": rf"{_SQL_CREATE}(?:constraint\s+)?trigger\s+{_SQL_NAME}",
    "type": rf"{_SQL_CREATE}(?:type|domain)\s+{_SQL_NAME}",
    "schema": rf"{_SQL_CREATE}schema\s+{_SQL_NAME}",
}

_SCRIPT = """
(function_declaration name: (_) @name body: (_)? @body) @function
(generator_function_declaration name: (_) @name body: (_)? @body) @function
(expression_statement (function_expression name: (_) @name body: (_)? @body) @function)
(class_declaration name: (_) @name body: (_)? @body) @class
(method_definition name: (_) @name body: (_)? @body) @method
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(variable_declarator value: (object (pair key: (_) @name value: (arrow_function body: (_) @body)) @method))
(variable_declarator value: (object (pair key: (_) @name value: (function_expression body: (_) @body)) @method))
(assignment_expression right: (object (pair key: (_) @name value: (arrow_function body: (_) @body)) @method))
(assignment_expression right: (object (pair key: (_) @name value: (function_expression body: (_) @body)) @method))
(assignment_expression left: (member_expression) @name right: (arrow_function body: (_) @body)) @function
(assignment_expression left: (member_expression) @name right: (function_expression body: (_) @body)) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
"""
JAVASCRIPT = f"""{_SCRIPT}
(field_definition property: (_) @name value: (arrow_function body: (_) @body)) @method
"""
TYPESCRIPT = f"""{_SCRIPT}
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @method
(abstract_class_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_)? @body) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name body: (_)? @body) @enum
(internal_module name: (_) @name body: (_)? @body) @module
(module name: (_) @name body: (_)? @body) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
"""
SCRIPT_HEADS = {
    "class": r"[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:abstract[ \t]+)?class[ \t]+([\w$]+)",
    "function": r"[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?function[ \t]*\*?[ \t]*([\w$]+)",
    "interface": r"[ \t]*(?:export[ \t]+)?interface[ \t]+([\w$]+)",
}
