import type { EntryKind } from "../../facts.ts";

/** What is known of a function when its kind of entry is judged. */
export interface EntryQuestion {
  name: string;
  path: string;
  /** Inside another function. */
  nested: boolean;
  /** Its class, if it is a method. */
  owner: string | undefined;
  /** The names of what its class extends, as they are written: `views.View`. */
  bases: readonly string[];
  /** Its parameters' names. */
  parameters: readonly string[];
  /** The source text of its decorators, with the `@`. */
  decorators: readonly string[];
}

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$|(^|\/)tests?\//;
/** `@app.get("/users")`, `@bp.route("/")`: a verb, and a path as its first argument. */
const ROUTE = /^@\s*[\w.]+\.(route|get|post|put|delete|patch|head|options|trace|websocket|api_route|websocket_route|view)\(\s*(r|f)?["']/;
const HANDLER = /^@\s*([\w.]+\.)?(command|group|result_callback|task|shared_task|periodic_task|receiver|on_event|exception_handler|errorhandler|app_errorhandler|before_request|after_request|teardown_request|teardown_appcontext|before_app_request|after_app_request|context_processor|app_context_processor|middleware|event|listener|on|subscriber|consumer|listens_for|callback|cron|scheduled_job|handler|cli)\b/;

const VIEWS_FILE = /(^|\/)views(\/[^/]*)?\.py$/;
/** Classes whose methods answer requests: Django, its REST framework, Flask, Starlette, Tornado. */
const VIEW = /(View|ViewSet|APIView|Resource|HTTPEndpoint|RequestHandler)$/;
const VIEW_METHOD = /^(get|post|put|patch|delete|head|options|trace|list|create|retrieve|update|partial_update|destroy|do_[A-Z]+)$/;
/** Classes of which a framework calls one method. */
const CALLED: readonly (readonly [base: RegExp, method: string])[] = [
  [/(^|\.)BaseCommand$/, "handle"], [/(^|\.)Task$/, "run"], [/(^|\.)(Thread|Process)$/, "run"], [/(^|\.)BaseMiddleware$|^BaseHTTPMiddleware$/, "dispatch"],
  [/(^|\.)AppConfig$/, "ready"],
];

/** Of a file of Django's tags and filters for templates. */
const TAG = /^@\s*\w+\.(filter|tag|(simple|inclusion)(_block)?_tag)\b/;
const TAGS_FILE = /(^|\/)templatetags\/[^/]*\.py$/;

/** Why control may enter a function from outside the code that is read, if it may. */
export function entryOf(question: EntryQuestion): EntryKind | undefined {
  const { name, path, nested, owner, bases, parameters, decorators } = question;
  for (const decorator of decorators) {
    if (ROUTE.test(decorator)) return "route";
    if (HANDLER.test(decorator) || (TAGS_FILE.test(path) && TAG.test(decorator))) return "handler";
  }
  if (nested) return undefined;
  if (TEST_FILE.test(path) && /^test/.test(name)) return "test";
  if (owner === undefined && name === "main") return "main";
  if (owner === undefined && parameters[0] === "request" && VIEWS_FILE.test(path)) return "route";
  if (VIEW_METHOD.test(name) && bases.some((base) => VIEW.test(base))) return "route";
  if (CALLED.some(([base, method]) => method === name && bases.some((text) => base.test(text)))) return "handler";
  return undefined;
}
