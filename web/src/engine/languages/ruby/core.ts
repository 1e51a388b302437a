/**
 * What Ruby and its standard library call methods: the names that the classes of 3.1 declare themselves. A call of an object that
 * nothing is known of is more likely one of these than a method of the code base that happens to be called the same.
 * Without `attr`, which Module has and code calls without a receiver alone.
 */
const NAMES = `
abort abort_on_exception abort_on_exception= abs abs2 absolute absolute? absolute_path absolute_path? acos acosh active? add add? add_builtin_type
add_domain_type add_tag add_trace_func add_trailing_separator addr_port address advise ajd alias_method aliases alive? all? all_symbols allbits?
allocate amjd ancestors angle any? anybits? append append_features apply_mask arg args argv0 arity ascend ascii_compatible? ascii_only? asctime asin
asinh assoc at at_exit atan atan2 atanh atime attr_accessor attr_reader attr_writer auto_compact auto_compact= autoclose= autoclose? autoload
autoload? b backtrace backtrace_locations basename begin begin_transport beginning_of_line? benchmark between? bind bind_call binding binmode
binmode? binread binwrite birthtime bit_length blksize block_given! block_given? blockdev? blocking? blocks bm bmbm body body= body_permitted? bol?
broadcast bsearch bsearch_index build build2 bytes bytesize byteslice ca_file ca_file= ca_path ca_path= call caller caller_locations capitalize
capitalize! captures casecmp casecmp? casefold? catch cause cbrt cd ceil center cert cert= cert_store cert_store= chain chardev? charpos chars chdir
check check_host check_opaque check_password check_path check_port check_registry check_scheme check_until check_user check_userinfo children chmod
chmod_R chomp chomp! chop chop! chop_basename chown chown_R chr chroot chunk chunk_while ciphers ciphers= civil clamp class class! class_eval
class_exec class_variable_defined? class_variable_get class_variable_set class_variables classify cleanpath cleanpath_aggressive
cleanpath_conservative clear clock_getres clock_gettime clone clone! close close! close_on_empty_response close_on_empty_response= close_on_exec=
close_on_exec? close_read close_write closed? closed_read? closed_write? cmp code code_type codepoints coerce collect collect! collect_concat
collect_method combination commands commercial compact compact! compare_by_identity compare_by_identity? compare_file compare_stream compatible?
compile component component_ary concat config conj conjugate conn_address conn_port connect const_defined? const_get const_missing const_set
const_source_location constants continue_timeout continue_timeout= copy copy_entry copy_file copy_stream coredump? cos cosh count count_objects
cover? cp cp_lr cp_r create create_fast_state create_id create_id= create_pretty_state crypt ctime current current_scheduler curry cwday cweek cwyear
cycle daemon datetime_format datetime_format= day day_fraction debug debug! debug? decode_content decode_content= decode_www_form
decode_www_form_component deconstruct deconstruct_keys deep_const_get def_class def_method def_module default default= default_external
default_external= default_internal default_internal= default_port default_proc default_proc= define_finalizer define_method define_singleton_method
define_singleton_method! del_trailing_separator delete delete! delete? delete_at delete_field delete_field! delete_if delete_prefix delete_prefix!
delete_suffix delete_suffix! denominator deprecate_constant deq descend detach detect dev dev_major dev_minor difference dig dig! digits directory?
dirname disable disjoint? display display! div divide divmod do_finish do_start do_with_enum domain_types domain_types= downcase downcase! downto
drop drop_while dst? dummy? dump dump_default_options dump_default_options= dump_stream dump_tags dump_tags= dup dup! each each_byte each_char
each_child each_codepoint each_cons each_entry each_filename each_grapheme_cluster each_index each_key each_line each_object each_pair each_pair!
each_slice each_value each_with_index each_with_object eager edit_path egid egid= empty? enable encode encode! encode_with encode_with!
encode_www_form encode_www_form_component encoding end end_transport end_with? england enq entity entries enum_for enum_for! eof eof? eos? eql?
equal? erf erfc error error! error? error_type escape escape_userpass euid euid= eval even? except exception exception_type exclude_end? exec
executable? executable_real? exist? exists? exit exit! exited? exitstatus exp expand_path extend extend! extend_object extended external_encoding
extname extra_chain_cert extra_chain_cert= extract fail fast_generate fast_unparse fatal fatal! fatal? fcntl fdatasync fdiv feed fetch fetch_values
file? filename filename= fileno fill filter filter! filter_map find find_all find_index find_proxy finish finite? first fixed_anchor? fixed_encoding?
flat_map flatten flatten! flatten_merge flock floor flush fnmatch fnmatch? for for_fd force force_encoding foreach fork format format_message
format_severity formatter formatter= fragment fragment= freeze freeze! frexp friday? frozen? fsync ftype full_message gamma garbage_collect gcd
gcdlcm gen_random generate generator generator= get get2 get_byte get_encoding get_print get_response getbyte getc getch getgm getlocal getpgid
getpgrp getpriority getrlimit gets getsid getutc getwd gid gid= glob global_variables gm gmt? gmt_offset gmtime gmtoff grapheme_clusters gregorian
gregorian? gregorian_leap? grep grep_v group group_by groups groups= grpowned? gsub gsub! handle_interrupt has_key? has_trailing_separator?
has_value? hash hash! have_option? head head2 header hex hierarchical? home host host= hostname hostname= hour http_default_port http_version
httpdate https_default_port hypot i iconv id2name identical? ignore_deadlock ignore_deadlock= imag imaginary include include? included
included_modules index infinite? inflater info info! info? inherited init_with init_with! initgroups inject ino insert inspect inspect! install
instance_eval instance_eval! instance_exec instance_exec! instance_method instance_methods instance_of? instance_variable_defined?
instance_variable_get instance_variable_get! instance_variable_set instance_variable_set! instance_variables instance_variables! integer? intern
internal_encoding intersect? intersection invert ioctl ipaddr ipaddr= irb is_a? is_method_protected! is_version_1_1? is_version_1_2? isatty isdst
iso8601 italy iterator? itself itself! j jd jisx0301 jj join json_creatable? julian julian? julian_leap? keep_alive? keep_alive_timeout
keep_alive_timeout= keep_if key key= key? keys kill kind_of? lambda lambda? last last_match last_status latest_compact_info latest_gc_info lazy
lchmod lchown lcm ld ldexp leap? left length level level= lgamma libyaml_version lineno lineno= lines link link_entry list ljust ln ln_s ln_sf load
load_default_options load_default_options= load_file load_file! load_stream load_tags load_tags= local local_host local_host= local_port local_port=
local_variable_defined? local_variable_get local_variable_set local_variables locale_charmap localtime location= lock locked? log log10 log2 loop
lstat lstrip lstrip! lutime magnitude main make_compiler make_link make_symlink makedirs map map! marshal_dump marshal_dump! marshal_load match
match? match_length matched matched? matched_size max max_by max_retries max_retries= max_version max_version= maxgroups maxgroups= mday measure
measure_total_time measure_total_time= member? members merge merge! merge_path message method method! method_added method_defined? method_missing
method_removed method_undefined methods methods! min min_by min_version min_version= minmax minmax_by minute mjd mkcol mkdir mkdir_p mkfifo mkpath
mktime mktmpdir mode mode_to_s module_eval module_exec module_function modulo mon monday? month mountpoint? move msg mtime must_C_version mv name
name= name_list named_captures names nan? native_thread_id negative? nesting new new_offset new_ostruct_member! new_seed new_start new_toplevel
newobj next next! next_day next_float next_month next_values next_year nil? nlink nobits? none? nonzero? normalize normalize! now nread nsec
num_waiting numerator object_id object_id! oct odd? offset on_connect one? opaque opaque= open open_timeout open_timeout= opendir options options_of
ord ordinal original_name owned? owner p pack parameters parent parse parse! parse_csv parse_file parse_stream parser parser= partition pass password
password= patch path path= pathconf peek peek_values peep peer_cert pending_interrupt? permutation phase pid pipe pipe? plus pointer pointer= polar
pop popen port port= pos pos= positive? post post2 post_form post_match pow pp ppid pre_match pread pred prepend prepend_features prepend_prefix
prepended pretty_generate pretty_print pretty_print_cycle pretty_unparse prev_day prev_float prev_month prev_year print printf priority priority=
private private? private_call? private_class_method private_constant private_instance_methods private_method_defined? private_methods
private_methods! private_module_function proc procdest produce product progname progname= proper_subset? proper_superset? propfind proppatch
protected protected? protected_instance_methods protected_method_defined? protected_methods protected_methods! proxy? proxy_address proxy_address=
proxy_class? proxy_from_env= proxy_from_env? proxy_pass proxy_pass= proxy_port proxy_port= proxy_uri proxy_user proxy_user= proxyaddr proxyport
public public? public_class_method public_constant public_instance_method public_instance_methods public_method public_method! public_method_defined?
public_methods public_methods! public_send public_send! push put put2 putc puts pwd pwrite query query= quo quote raise raise! rand rassoc
rationalize rdev rdev_major rdev_minor read read_body read_body_0 read_chunked read_header read_new read_nonblock read_timeout read_timeout=
readable? readable_real? readbyte readchar reading_body readline readlines readlink readpartial ready? real real? realdirpath realpath realtime
receiver rect rectangular recurse_proc reduce refine regexp register_scheme registry registry= rehash reject reject! relative? relative_path_from
remainder remove remove_class_variable remove_const remove_dir remove_entry remove_entry_secure remove_file remove_instance_variable
remove_instance_variable! remove_method remove_trailing_slash remove_type rename reopen repeated_combination repeated_permutation replace replace!
replicate report_on_exception report_on_exception= request request_get request_head request_post request_put require require_relative reset
respond_to? response rest rest? rest_size restore restsize result result_with_hash resume reverse reverse! reverse_each rewind rfc2822 rfc3339 rfc822
rindex rjust rm rmdir rmtree root? rotate rotate! round route_from route_from0 route_from_path route_to rpartition rstrip rstrip! ruby2_keywords
ruby2_keywords_hash ruby2_keywords_hash? run safe_dump safe_load safe_load_file safe_unlink sample saturday? scan scan_full scan_until schedule
scheduler scheme scheme= scheme_list scrub scrub! search_full sec sec_fraction second second_fraction seed seek select select! send send! send_entity
send_request set_backtrace set_debug_output set_encoding set_encoding_by_bom set_eoutvar set_host set_opaque set_ostruct_member_value! set_password
set_path set_port set_registry set_scheduler set_scheme set_trace_func set_user set_userinfo setbyte setgid? setpgid setpgrp setpriority setproctitle
setrlimit setsid setuid? sev_threshold sev_threshold= shellescape shelljoin shellsplit shellwords shift shuffle shuffle! signal signaled? signame sin
singleton_class singleton_class! singleton_class? singleton_method singleton_method! singleton_method_added singleton_method_removed
singleton_method_undefined singleton_methods singleton_methods! sinh size size? skip skip_until sleep slice slice! slice_after slice_before
slice_when socket? socket_type sort sort! sort_by sort_by! source source_location spawn split split_names split_path split_userinfo sprintf sqrt
squeeze squeeze! srand src ssl_timeout ssl_timeout= ssl_version ssl_version= sspi_auth sspi_auth? start start_with? started? stat state state= status
step sticky? stop stop? stopped? stopsig store stream_check stress stress= strftime string string= strip strip! strptime sub sub! sub_ext subclasses
subsec subset? subtract succ succ! success? sum sunday? super_method superclass superset? swapcase swapcase! symbolic_modes_to_i symlink symlink?
sync sync= synchronize syscall sysopen sysread sysseek system syswrite table table! taint taint! tainted? take take_while tally tan tanh tap tap!
tell terminate termsig test then then! thread_variable? thread_variable_get thread_variable_set thread_variables throw thursday? timeout times tmpdir
to_a to_ary to_c to_csv to_date to_datetime to_enum to_enum! to_f to_h to_h! to_hash to_i to_int to_io to_json to_path to_proc to_r to_s to_s! to_set
to_str to_sym to_time to_tty? to_yaml today total_time touch tr tr! tr_s tr_s! trace trace_var transfer transform_keys transform_keys!
transform_values transform_values! transport_request transpose trap truncate trust trust! try_convert try_lock tty? tuesday? tv_nsec tv_sec tv_usec
uid uid= umask unbind undef_method undefine_finalizer undump unescape ungetbyte ungetc unicode_normalize unicode_normalize! unicode_normalized? union
uniq uniq! unknown unlink unlock unpack unpack1 unparse unsafe_load unsafe_load_file unscan unshift untaint untaint! untrace_var untrust untrust!
untrusted? upcase upcase! update update_to_values! upto uptodate? urandom uri uri= use_proxy? use_registry use_ssl= use_ssl? usec used_modules user
user= user_mask userinfo userinfo= using using_rvargc? utc utc? utc_offset utime valid_civil? valid_commercial? valid_date? valid_encoding? valid_jd?
valid_ordinal? value value? values values_at verify_callback verify_callback= verify_compaction_references verify_depth verify_depth= verify_hostname
verify_hostname= verify_internal_consistency verify_mode verify_mode= verify_transient_heap_internal_consistency version version_1_1? version_1_2
version_1_2? wait wait2 wait_priority wait_readable wait_writable waitall waitpid waitpid2 wakeup warn warn! warn? wday wednesday? with_index
with_object world_readable? world_writable? writable? writable_real? write write_nonblock write_timeout write_timeout= xmlschema yaml_tag yday year
yield yield_self yield_self! zero? zip zone zone_offset
`;

/** What every object has: the methods of Object and Kernel, those without a receiver among them. */
const OF_OBJECTS = `
abort at_exit autoload autoload? binding block_given? caller caller_locations catch class clone define_singleton_method display dup enum_for eql?
equal? eval exec exit exit! extend fail fork format freeze frozen? gets global_variables hash initialize initialize_clone initialize_copy
initialize_dup inspect instance_eval instance_exec instance_of? instance_variable_defined? instance_variable_get instance_variable_set
instance_variables is_a? iterator? itself kind_of? lambda load local_variables loop method method_missing methods nil? object_id open p pp print
printf private_methods proc protected_methods public_method public_methods public_send putc puts raise rand readline readlines
remove_instance_variable require require_relative respond_to? respond_to_missing? select send set_trace_func singleton_class singleton_method
singleton_method_added singleton_method_removed singleton_method_undefined singleton_methods sleep spawn sprintf srand syscall system taint tainted?
tap test then throw to_enum to_s trace_var trap trust untaint untrace_var untrust untrusted? warn yield_self
`;

const names = new Set(NAMES.split(/\s+/));

export function isCoreName(name: string): boolean {
  return names.has(name) || !/^[\p{L}_]/u.test(name);
}

const ofObjects = new Set(OF_OBJECTS.split(/\s+/));

/** Whether an object of any class has a method of this name. */
export function isObjectName(name: string): boolean {
  return ofObjects.has(name) || !/^[\p{L}_]/u.test(name);
}
