"""The order in which the code is read. Each module imports only modules that stand before it."""

CORE = """
    errors error_class messages quantity row_filter frame foreign_value codec schema arguments
    look_alike text_diff visible_text console_text
    records table shelf tree file_diff todo_list inquiry notebook_diff views result
    secret_formats masking limits folder draft spill
    near_name file_error real_path text_encoding text_file files moving
    file_state snapshots restoring
    process_group kept_output command outlasting jobs
    cell_outputs kernel_prelude kernel_outputs kernel_process
    threads gateway gateway_kernel kernel_channels child_kernel
    kernel_ledger kernel_session code_piece kernels variable_listing
    shortening ledger milestones
    token_estimate price context_window budget crew definition stopping desk env instructions signature tool
    operations selection registry catalogue
    web web.url
    log_file events event_shape bar timeline effect
    permission permission.decision permission.credentials
    permission.shell permission.shell.grammar permission.shell.word permission.shell.script permission.shell.options
    permission.shell.variables permission.shell.wrappers permission.shell.little_languages permission.shell.steering
    permission.shell.parts permission.shell.known_commands permission.shell.git_commands
    permission.shell.reading permission.shell.destroying
    permission.patterns permission.rules permission.layers permission.trust permission.sources permission.project
    permission.startup_files
    permission.covering permission.line_folders permission.read_files permission.judgement permission.guards
    permission.explanation permission.bypass
    permission.policy permission.barred permission.grant permission.offers keyboard typed_line eager execution
    question hearing approval around alarm hooks hook_asking command_hook repetition conditions deferral surface
    tool_index unknown_names pausing passage
    inquiring granting asking stages mishap checkpoint presentation outcome_stages hook_stages
    pipeline scheduler executor
    model reading scripted_model
    saved_message
    trace
    history requests
    undoing undoable
    mending log_reading standpoint recorded_run fork session session_folder
    replay comparison export
    models.turn_pieces recorded_model
    repair transcript summary compaction
    loop forking
    steerable opening run
    earlier
    sub_agents
    telemetry
    own_shell interruption shell_capture own_cell
    notebook.json_span notebook.json_style notebook.source notebook.cell_members notebook.cell notebook.validity
    notebook.cell_span notebook.notebook_text
    notebook.metadata notebook.seam notebook.address notebook.document notebook notebook.old_format notebook.matching
    notebook.steps notebook.stored
    notebook.image_size picture notebook.html_text notebook.traceback_text notebook.outputs execution_report
    notebook.output_brief notebook.remote notebook.changes
    outline outline.queries outline.language outline.symbol outline.reader outline.parsing outline.code_cells
    web.reach web.resolver web.body web.charset web.pinned web.fetcher web.page
    mcp.process mcp.answer mcp.offer mcp.form_field mcp.elicitation mcp.connection mcp.server mcp
    lane mcp.errand mcp.service code_sdk code_client code_bridge code_calls code_session code_mode company agent
    tools tools.location
    tools.file_window tools.binary_file tools.read_file
    tools.glob_rules tools.plain_walk tools.stand_in
    tools.passed_over tools.ripgrep tools.read_result tools.find_files tools.ignored tools.list_dir
    tools.findings tools.pattern tools.file_encoding tools.line_search tools.search_code
    tools.code_files tools.code_report tools.code_index
    tools.near_miss tools.replacement tools.text_change tools.edit_file tools.multi_edit tools.write_file
    tools.delete_range tools.python_source tools.cut_out tools.delete_symbol tools.move_file
    tools.tool_search tools.todo
    tools.cell_tags tools.kernel_state tools.notebook_outline tools.notebook_read
    tools.cell_change tools.cell_edit tools.cell_form tools.edit_plan tools.notebook_edit
    tools.notebook_patch tools.notebook_search
    tools.agent tools.command_report tools.run_command tools.run_here tools.job_output tools.kill_job
    tools.kernel_choice tools.piece_report tools.run_code
    tools.inspect_variables tools.interrupt_kernel tools.restart_kernel
    tools.cell_choice tools.run_plan tools.notebook_run
    tools.wait tools.exit_plan tools.ask_user tools.web_fetch
    models models.tour_script models.script_file models.wire models.access models.failure
    models.attempts models.loop_client models.provider_model models.anthropic_body models.anthropic_messages
    models.openai_client models.chat_body models.openai_chat models.responses_body models.openai_responses
    models.pydantic_messages models.pydantic_ai_direct
    models.local_process models.local_turn models.local_model
    models.found_model models.naming
    sweep.job sweep.packing sweep.report sweep.child sweep.errand sweep.results sweep.progress sweep.sweeping sweep
    args_brief console
    lab explain session_commands command_line __main__
"""
VIEWS = """
    node control press brush fold duration style
    text_view code_view markdown_view image_view table_view tree_view ink console_screen terminal_view error_view
    word_diff unified diff_row diff_view notebook_diff_view todo_view inquiry_view group_view draw
    place
    head call_story story call_head call_trail model_side undo_bar call_card item_view record table_pages
    pace parcel transcript
    kernel_facts inputs
    question_view grant_choice read_back card argument_field argument_form
    redrawing edit_box operation_choice turn_choice
    approval_card
    inquiry_card widget_approver
    undo_answer
    interrupt live_box live_view server bridge election live_notebook undo_panel agent
    inspection call_inspection request_view turn_inspection timeline_view inspector
    agent_mode hosted_agent errands prompt_box past_run chat_log budget_bar mode_choice tool_switches
    session_export session_list chat chat_controls chat_panel magic
    comparison_view moment pace_bar steps fork_form time_travel
    reopened shown
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
