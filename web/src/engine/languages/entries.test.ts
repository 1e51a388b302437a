/** Where the frameworks of each language let control in, as their manuals write it. */
import { expect, it } from "vitest";
import { extract } from "../../../test/languages.ts";
import { languageOf } from "./index.ts";

/** `kind name` of each entry of a file, in its order. */
async function entriesOf(path: string, text: string): Promise<string[]> {
  const { symbols } = await extract(languageOf(path, text)!, path, text);
  return symbols.flatMap(({ entry, owner, name }) => (entry === undefined ? [] : [`${entry} ${owner === undefined ? "" : `${owner}.`}${name}`]));
}

it.each<[framework: string, path: string, entries: string[], text: string]>([
  ["ASP.NET minimal APIs", "Program.cs", ["route List", "route Todos.GetAll", "route Todos.Create"], `
var app = WebApplication.Create(args);
app.MapGet("/todos", Todos.GetAll);
app.MapGroup("/v1").MapPost("/todos", Todos.Create);
app.MapGet("/list", List);
static string List() => Other();
static string Other() => "";
static class Todos {
  public static string GetAll() => "";
  public static string Create() => Helper();
  static string Helper() => "";
}
`],
  ["handlers of minimal APIs, by what they return", "Handlers.cs", ["route Orders.Get", "route Orders.Put"], `
public static class Orders {
  public static async Task<Results<Ok<Order>, NotFound>> Get(int id) => Find(id);
  public static IResult Put(Order order) => Find(1);
  static Order Find(int id) => null;
}
`],
  ["ASP.NET controllers", "A.cs", ["route UsersController.Index", "route UsersController.Show"], `
public class UsersController : ControllerBase {
  public string Index() => Find();
  [HttpGet("{id}")] public string Show(int id) => "";
  private string Find() => "";
}
`],
  ["Spring", "A.java", ["route Users.list", "handler Loader.run", "handler Runner.run", "handler Job.tick"], `
@RestController
class Users {
  @GetMapping("/users") List<User> list() { return find(); }
  private List<User> find() { return null; }
}
class Loader implements CommandLineRunner {
  public void run(String... args) { load(); }
  void load() {}
}
class Runner implements ApplicationRunner {
  @Override public void run(ApplicationArguments args) {}
}
class Job {
  @Scheduled(fixedRate = 1) void tick() {}
  void run(String... args) {}
}
`],
  ["Cobra", "cmd/list.go", ["handler NewCmdList", "handler runShow", "handler NewApp", "handler runAll"], `package cmd

func NewCmdList(f *Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list",
		RunE: func(c *cobra.Command, args []string) error {
			return runList(f)
		},
	}
	return cmd
}

func runList(f *Factory) error { return nil }

var show = &cobra.Command{Use: "show", Run: runShow}

func runShow(c *cobra.Command, args []string) {}

func NewApp() *cli.App {
	return &cli.App{Action: func(c *cli.Context) error { return run(c) }}
}

func NewRoot() *cobra.Command { return &cobra.Command{Use: "root"} }

func checkFlags(c *cobra.Command, args []string) {}

func runAll(c *cobra.Command, args []string) { checkFlags(c, args) }
`],
  ["net/http", "main.go", ["main main", "handler users"], `package main

func main() {
	http.HandleFunc("/users", users)
}

func users(w http.ResponseWriter, r *http.Request) {}
`],
  ["axum", "src/main.rs", ["main main", "route list", "route create", "route show"], `
#[tokio::main]
async fn main() {
    let app = Router::new().route("/users", get(list).post(create)).nest("/v1", Router::new().route("/x", axum::routing::get(show)));
    map.get(helper);
}
async fn list() -> String { helper() }
async fn create() {}
async fn show() {}
fn helper() -> String { String::new() }
`],
  ["actix-web and rocket", "src/web.rs", ["route index", "route create", "route save"], `
#[get("/")]
async fn index() -> impl Responder { render() }
#[post("/users", data = "<user>")]
fn create() {}
fn render() {}
fn config(cfg: &mut web::ServiceConfig) { cfg.service(web::resource("/save").route(web::post().to(save))); }
async fn save() {}
`],
  ["clap", "src/bin/tool.rs", ["main main"], `
#[derive(Parser)]
struct Cli { #[command(subcommand)] command: Commands }
fn main() { let cli = Cli::parse(); run(cli); }
fn run(cli: Cli) {}
`],
  ["Rails", "app/controllers/users_controller.rb", ["route UsersController.index", "route UsersController.show"], `
class UsersController < ApplicationController
  before_action :load_user
  def index
    @users = find
  end
  def show; end
  private
  def load_user; end
  def find; end
end
`],
  ["Rails jobs, mailers and channels", "app/mailers/all.rb", ["handler CleanJob.perform", "handler NewsMailer.weekly", "handler ChatChannel.subscribed", "handler ChatChannel.speak"], `
class CleanJob < ApplicationJob
  def perform(id); end
end
class NewsMailer < ApplicationMailer
  def weekly; end
end
class ChatChannel < ApplicationCable::Channel
  def subscribed; end
  def speak(data); end
end
`],
  ["Laravel controllers", "app/Http/Controllers/UserController.php", ["route UserController.index", "route UserController.store"], `<?php
namespace App\\Http\\Controllers;
class UserController extends Controller {
  public function __construct(private Users $users) {}
  public function index() { return $this->find(); }
  public function store(Request $request) {}
  protected function find() {}
}
`],
  ["Laravel commands and jobs", "src/Send.php", ["handler Send.handle", "handler Clean.handle"], `<?php
class Send extends Command { public function handle() {} public function helper() {} }
class Clean implements ShouldQueue { public function handle() {} }
`],
  ["Laravel middleware", "app/Http/Middleware/Admin.php", ["handler Admin.handle"], `<?php
class Admin { public function handle(Request $request, Closure $next) { return $this->check(); } public function check() {} }
`],
  ["Symfony", "src/Controller/Blog.php", ["route Blog.index", "handler Import.execute"], `<?php
class Blog extends AbstractController { #[Route('/blog')] public function index() {} }
class Import extends Command { protected function execute(InputInterface $in, OutputInterface $out): int {} }
`],
  ["Celery", "tasks.py", ["handler add", "handler clean", "handler Report.run"], `
@app.task(bind=True)
def add(self, x): return helper(x)
@shared_task
def clean(): pass
class Report(celery.Task):
    def run(self): pass
def helper(x): return x
`],
  ["Django's tags, filters and applications", "shop/templatetags/shop.py", ["handler price", "handler basket", "handler menu", "handler Shop.ready"], `
@register.filter
def price(value): return help(value)

@register.simple_tag(takes_context=True)
def basket(context): return help(context)

@library.inclusion_tag("menu.html")
def menu(): return {}

@other.sorted
def help(value): return value

class Shop(AppConfig):
    def ready(self): help(1)
    def load(self): pass
`],
  ["Django, Flask, FastAPI", "shop/views.py", ["route index", "route Orders.get", "route users", "route item"], `
def index(request): return render(request)
class Orders(LoginRequiredMixin, ListView):
    def get(self, request): pass
@app.route("/users")
def users(): pass
@router.get("/items/{id}")
async def item(id): pass
`],
  ["Click and Typer", "cli.py", ["handler main_command", "handler sync", "main main"], `
@click.command()
def main_command(): pass
@app.command("sync")
def sync(): pass
def main(): pass
`],
  ["Next.js pages", "pages/users/[id].tsx", ["route getServerSideProps", "route User"], `
export async function getServerSideProps() { return load(); }
function load() {}
export default function User() { return <p/>; }
`],
  ["Next.js app router", "src/app/users/page.tsx", ["route generateMetadata", "route Page"], `
export async function generateMetadata() {}
export default async function Page() { return <List/>; }
function List() { return <p/>; }
`],
  ["Next.js route handlers", "app/api/users/route.ts", ["route GET", "route POST"], `
export async function GET(request: Request) { return list(); }
export const POST = async () => list();
function list() {}
`],
  ["Next.js server actions", "app/actions.ts", ["route save"], `"use server";
export async function save(form: FormData) { return check(form); }
function check(form: FormData) {}
`],
  ["Express", "routes.js", ["handler list", "handler show"], `
const router = express.Router();
router.get("/users", auth, list);
router.route("/users/:id").get(show);
function list(req, res) { find(); }
function show(req, res) {}
function find() {}
`],
  ["NestJS", "users.controller.ts", ["route UsersController.findAll", "route UsersController.created"], `
@Controller("users")
export class UsersController {
  @Get()
  findAll() { return this.find(); }
  @EventPattern("user_created")
  async created() {}
  private find() {}
}
`],
])("%s", async (_, path, entries, text) => {
  expect(await entriesOf(path, text)).toEqual(entries);
});
