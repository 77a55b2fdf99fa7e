"""The order in which the code is read. Each module imports only modules that stand before it."""

CORE = """
    errors error_class messages text text.quantity views views.row_filter views.frame foreign_value codec schema
    spelling arguments text.look_alike text.text_diff text.visible_text text.console_text views.records
    views.legible views.table views.shelf views.tree views.file_diff views.todo_list views.inquiry
    views.notebook_diff views.view result
    text.secret_formats text.masking calls calls.limits files files.folder files.draft calls.spill text.near_name
    files.file_error files.real_path files.text_encoding files.text_file files.disk files.moving undo
    undo.file_state undo.snapshots undo.restoring commands commands.process_group commands.kept_output
    waiting waiting.threads commands.command waiting.outlasting commands.jobs kernels
    kernels.cell_outputs kernels.kernel_prelude kernels.kernel_outputs kernels.kernel_process kernels.gateway
    kernels.gateway_kernel
    kernels.kernel_channels kernels.child_kernel kernels.kernel_ledger kernels.kernel_session kernels.code_piece
    kernels.kernels kernels.variable_listing context context.shortening files.ledger files.milestones
    context.token_estimate runs runs.price context.context_window runs.budget runs.crew definition waiting.stopping
    runs.desk env runs.instructions role signature declared tool operations selection registry catalogue web web.url log
    log.log_file log.events log.event_shape views.bar log.timeline undo.effect permission permission.decision
    permission.credentials permission.shell permission.shell.grammar permission.shell.word permission.shell.script
    permission.shell.options permission.shell.variables permission.shell.wrappers permission.shell.little_languages
    permission.shell.steering permission.shell.parts permission.shell.known_commands permission.shell.git_commands
    permission.patterns permission.shell.wildcard permission.shell.reading permission.shell.destroying
    permission.shell.handing_on permission.shell.writing permission.rules
    permission.layers permission.trust permission.sources permission.project permission.startup_files
    permission.covering permission.line_folders permission.places permission.read_files permission.judgement
    permission.guards permission.explanation permission.bypass permission.policy permission.barred permission.grant
    permission.offers waiting.keyboard person person.typed_line waiting.eager calls.execution person.question
    waiting.hearing person.approval calls.around runs.alarm hooks hooks.hook hooks.hook_asking hooks.command_hook
    calls.repetition calls.conditions deferral surface tool_index unknown_names runs.pausing calls.passage
    person.inquiring person.granting person.asking
    calls.stages calls.mishap undo.checkpoint calls.presentation calls.outcome_stages calls.hook_stages
    calls.pipeline calls.scheduler calls.executor models.model models.reading models.scripted_model
    log.saved_message log.trace log.history log.requests undo.undoing undo.undoable sessions sessions.mending
    log.log_reading sessions.standpoint sessions.recorded_run sessions.fork sessions.session sessions.session_folder
    sessions.replay sessions.comparison sessions.export models.turn_pieces models.recorded_model runs.repair
    runs.transcript context.summary context.compaction runs.loop sessions.forking runs.steerable runs.opening
    runs.run runs.earlier runs.sub_agents log.telemetry kernels.own_shell kernels.interruption kernels.shell_capture
    kernels.own_cell notebook.json_span notebook.json_style notebook.source notebook.cell_members notebook.cell
    notebook.validity notebook.cell_span notebook.notebook_text notebook.metadata notebook.seam notebook.address
    notebook.document notebook notebook.pairing notebook.old_format notebook.matching notebook.steps notebook.stored
    notebook.image_size text.picture notebook.html_text notebook.traceback_text notebook.outputs
    kernels.execution_report notebook.output_brief notebook.remote notebook.changes outline outline.queries
    outline.language outline.symbol outline.reader outline.parsing outline.code_cells web.reach web.resolver
    web.body web.charset web.pinned web.fetcher web.page mcp.process mcp.answer mcp.offer mcp.form_field
    mcp.elicitation mcp.connection mcp.server mcp waiting.lane mcp.errand mcp.service code_mode code_mode.code_sdk
    code_mode.code_client code_mode.code_bridge code_mode.code_calls code_mode.code_session code_mode.code_mode
    runs.company given agent tools tools.location tools.file_window tools.binary_file tools.read_file tools.glob_rules
    tools.plain_walk tools.stand_in tools.passed_over tools.ripgrep tools.read_result tools.find_files tools.ignored
    tools.list_dir tools.findings tools.pattern tools.file_encoding tools.line_search tools.search_code
    tools.code_files tools.code_report tools.code_index tools.near_miss tools.replacement tools.text_change
    tools.edit_file tools.multi_edit tools.write_file tools.delete_range tools.python_source tools.cut_out
    tools.delete_symbol tools.move_file tools.tool_search tools.todo tools.cell_tags tools.kernel_state
    tools.notebook_outline tools.notebook_read tools.cell_change tools.cell_edit tools.cell_form tools.edit_plan
    tools.remote_picture tools.notebook_edit tools.notebook_patch tools.notebook_search tools.agent
    tools.command_report tools.run_command tools.run_here tools.job_output tools.kill_job tools.kernel_choice
    tools.piece_report
    tools.run_code tools.inspect_variables tools.interrupt_kernel tools.restart_kernel tools.cell_choice
    tools.run_plan tools.notebook_run tools.wait tools.exit_plan tools.ask_user tools.web_fetch models
    models.tour_script models.script_file models.wire models.access models.failure models.attempts
    models.loop_client models.provider_model models.anthropic_body models.anthropic_messages models.openai_client
    models.chat_body models.openai_chat models.responses_body models.openai_responses models.pydantic_messages
    models.pydantic_ai_direct models.local_process models.local_turn models.local_model models.found_model
    models.naming sweep.content sweep.work sweep.job sweep.packing sweep.report sweep.child sweep.errand sweep.rows
    sweep.results sweep.progress sweep.sweeping sweep console console.args_brief console.console console.lab
    console.usage console.explain console.session_commands console.narrator console.trust console.fork_options
    console.command_line __main__
"""
VIEWS = """
    drawing drawing.node drawing.control drawing.press drawing.brush drawing.fold drawing.duration drawing.style
    drawing.text_view drawing.code_view drawing.markdown_view drawing.image_view drawing.table_view
    drawing.tree_view drawing.ink drawing.console_screen drawing.terminal_view drawing.error_view drawing.word_diff
    drawing.unified drawing.diff_row drawing.diff_view drawing.notebook_diff_view drawing.todo_view
    drawing.inquiry_view drawing.group_view drawing.draw live live.place cards cards.head cards.call_story
    cards.story cards.call_head cards.call_trail cards.model_side cards.undo_bar cards.call_card cards.item_view
    cards.record live.table_pages live.pace live.parcel live.transcript live.kernel_facts live.inputs questions
    questions.question_view questions.grant_choice questions.read_back questions.card questions.argument_field
    questions.argument_form questions.redrawing questions.edit_box questions.operation_choice questions.turn_choice
    questions.approval_card questions.inquiry_card questions.widget_approver live.undo_answer live.interrupt
    live.plot_gate live.live_box live.live_view open_notebook open_notebook.server open_notebook.bridge
    open_notebook.election open_notebook.live_notebook undo_panel agent inspector inspector.inspection
    inspector.call_inspection inspector.request_view inspector.turn_inspection inspector.timeline_view
    inspector.inspector chat chat.agent_mode chat.hosted_agent chat.errands chat.prompt_box chat.past_run
    chat.chat_log chat.budget_bar chat.mode_choice chat.tool_switches chat.session_export chat.session_list
    chat.chat chat.chat_controls chat.chat_panel chat.magic cards.comparison_view travel travel.moment
    travel.pace_bar travel.steps travel.fork_form travel.time_travel live.reopened live.shown
"""
ORDER = (
    *(f"cellwright.{name}" for name in CORE.split()),
    "cellwright",
    *(f"cellwright_widgets.{name}" for name in VIEWS.split()),
    "cellwright_widgets",
)
"""Front matter first; a package's surface, its `__init__`, after what it re-exports.

The catalogue and the model names import by the text of an entry, and only when a run asks for it; so they may stand
before the modules that they name.
"""
