// Package gotruth states a Go module as go/types sees it.
package gotruth

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// Generate reads the module in dir: its packages and tests, for Linux. What does
// not build is named in the graph's errors.
func Generate(dir string) (*codegraph.Graph, error) {
	root, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, err
	}
	m := &module{
		root: root, fset: token.NewFileSet(), files: map[string]bool{}, dirs: map[string]string{},
		instances:  instances{arguments: map[token.Pos][]types.Type{}, declared: map[token.Pos]token.Pos{}},
		ifaceOwner: map[token.Pos]string{}, targets: map[string][]codegraph.Ref{}, seen: map[string]bool{},
		graph: &codegraph.Graph{
			Schema: "code-graph/1", Producer: "go/types", Language: "go", Options: codegraph.Options{ImportTarget: "directory"},
			Symbols: []codegraph.Symbol{}, Calls: []codegraph.Call{}, Imports: []codegraph.Import{},
			Extends: []codegraph.Pair{}, Implements: []codegraph.Pair{},
		},
	}
	if err := m.load(); err != nil {
		return nil, err
	}
	m.index()
	m.findInstances()
	for _, p := range m.packages {
		for _, f := range p.Syntax {
			if name := m.rel(f.Pos()); m.files[name] && m.once("file", name) {
				m.graph.Files = append(m.graph.Files, name)
				m.imports(name, f)
				(&file{module: m, name: name, pkg: p}).read(f)
			}
		}
	}
	m.implementations()
	sort.Strings(m.graph.Files)
	return m.graph, nil
}

// module is what is known while reading.
type module struct {
	root     string
	fset     *token.FileSet
	packages []*packages.Package
	files    map[string]bool   // of the module
	dirs     map[string]string // folder of a package, by import path
	graph    *codegraph.Graph
	instances

	ifaceOwner map[token.Pos]string // name of the interface that declares the method at this place
	concretes  []*types.Named
	ifaces     []*types.Named
	targets    map[string][]codegraph.Ref // implementations of an interface's method
	seen       map[string]bool
}

func (m *module) load() error {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule,
		Dir: m.root, Tests: true, Fset: m.fset, Env: append(os.Environ(), "GOOS=linux", "GOTOOLCHAIN=local", "GOWORK=off"),
	}, "./...")
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		if strings.HasSuffix(p.ID, ".test") || !m.once("package", p.ID) {
			continue
		}
		m.packages = append(m.packages, p)
		for _, e := range p.Errors {
			m.graph.Errors = append(m.graph.Errors, e.Error())
		}
		for _, f := range p.CompiledGoFiles {
			if name := m.relFile(f); strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, "..") {
				m.files[name] = true
				m.dirs[p.PkgPath] = codegraph.Dir(name)
			}
		}
	}
	if len(m.files) == 0 {
		return errors.New("no Go files of the module were loaded")
	}
	// The richest variant of a package first: with its tests it has all files.
	sort.SliceStable(m.packages, func(i, j int) bool { return len(m.packages[i].Syntax) > len(m.packages[j].Syntax) })
	return nil
}

// index finds the owners of interface methods and all named types.
func (m *module) index() {
	for _, p := range m.packages {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if it, ok := spec.Type.(*ast.InterfaceType); ok {
					for _, method := range it.Methods.List {
						for _, name := range method.Names {
							m.ifaceOwner[name.Pos()] = spec.Name.Name
						}
					}
				}
				return true
			})
		}
		for _, name := range p.Types.Scope().Names() {
			obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() {
				continue
			}
			named, ok := obj.Type().(*types.Named)
			if !ok || !m.files[m.rel(obj.Pos())] || !m.once("type", p.ID, obj.Name()) {
				continue
			}
			if types.IsInterface(named) {
				m.ifaces = append(m.ifaces, named)
			} else {
				m.concretes = append(m.concretes, named)
			}
		}
	}
}

func (m *module) imports(name string, f *ast.File) {
	for _, spec := range f.Imports {
		if dir, ok := m.dirs[strings.Trim(spec.Path.Value, "\"`")]; ok && m.once("import", name, dir) {
			m.graph.Imports = append(m.graph.Imports, codegraph.Import{From: name, To: dir})
		}
	}
}

// implementations pairs the module's interfaces with its concrete types. A
// generic type implements an interface when each of its instances does, and a
// generic interface is implemented when an instance of it is.
func (m *module) implementations() {
	type pair struct{ from, to codegraph.Ref }
	var order []pair
	// A package with tests has types of its own: one that implements is enough of those that are the same.
	instances := map[pair]map[string]bool{}
	for _, iface := range m.ifaces {
		if it := iface.Underlying().(*types.Interface); it.NumMethods() == 0 || !it.IsMethodSet() {
			continue
		}
		to, _ := m.typeRef(iface.Obj())
		for _, c := range m.concretes {
			from, ok := m.typeRef(c.Obj())
			if !ok || isGeneric(c) {
				continue
			}
			key := pair{from, to}
			if instances[key] == nil {
				order = append(order, key)
				instances[key] = map[string]bool{}
			}
			name := types.TypeString(c, nil)
			instances[key][name] = instances[key][name] || slices.ContainsFunc(m.instancesOf(iface), func(it *types.Interface) bool { return implements(c, it) })
		}
	}
	for _, p := range order {
		if !slices.Contains(slices.Collect(maps.Values(instances[p])), false) {
			m.graph.Implements = append(m.graph.Implements, codegraph.Pair{From: p.from, To: p.to})
		}
	}
}

// isGeneric says whether a type is one before it has arguments.
func isGeneric(named *types.Named) bool {
	return named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0
}

// instancesOf are the instances of an interface: itself where no argument is open.
func (m *module) instancesOf(iface *types.Named) []*types.Interface {
	if !isGeneric(iface) && !isOpen(iface) {
		return []*types.Interface{iface.Underlying().(*types.Interface)}
	}
	var all []*types.Interface
	for _, named := range m.all {
		if it, ok := named.Underlying().(*types.Interface); ok && named.Obj().Pos() == iface.Obj().Pos() {
			all = append(all, it)
		}
	}
	return all
}

func implements(c *types.Named, it *types.Interface) bool {
	return !isGeneric(c) && (types.Implements(c, it) || types.Implements(types.NewPointer(c), it))
}

// implementers are the methods that a call of an interface's method may reach.
func (m *module) implementers(recv types.Type, method string) []codegraph.Ref {
	key := types.TypeString(recv, nil) + "#" + method
	if known, ok := m.targets[key]; ok {
		return known
	}
	var refs []codegraph.Ref
	has := map[codegraph.Ref]bool{}
	add := func(ref codegraph.Ref) {
		if !has[ref] {
			has[ref] = true
			refs = append(refs, ref)
		}
	}
	for _, c := range m.mayBe(recv) {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(c), true, c.Obj().Pkg(), method)
		if fn, ok := obj.(*types.Func); ok {
			if ref, ok := m.funcRef(fn); ok {
				add(ref)
			}
		}
	}
	m.targets[key] = refs
	return refs
}

// mayBe are the types whose values an interface may hold. A type parameter may
// stand for what implements its constraint, and for what it is given.
func (m *module) mayBe(recv types.Type) []*types.Named {
	var all []*types.Named
	if parameter, ok := recv.(*types.TypeParam); ok {
		for _, argument := range m.possible(parameter) {
			if types.IsInterface(argument) {
				all = append(all, m.mayBe(argument)...)
			} else if named := namedOf(argument); named != nil {
				all = append(all, named)
			}
		}
		recv = parameter.Constraint()
	}
	for _, it := range m.variants(recv) {
		for _, c := range m.concretes {
			if it.NumMethods() > 0 && implements(c, it) {
				all = append(all, c)
			}
		}
	}
	return all
}

// variants are the interfaces that are this one in some variant of its package,
// or with some arguments for the type parameters in it. A package with tests is
// there twice, with types of its own each time, and what other packages implement
// is the one without tests.
func (m *module) variants(t types.Type) []*types.Interface {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	named := namedOf(t)
	if named == nil {
		return []*types.Interface{it}
	}
	if named.TypeArgs().Len() > 0 {
		return m.instancesOf(named)
	}
	all := []*types.Interface{it}
	for _, other := range m.ifaces {
		if other != named && other.Obj().Pos() == named.Obj().Pos() {
			all = append(all, other.Underlying().(*types.Interface))
		}
	}
	return all
}

// funcRef names a function or method of the module.
func (m *module) funcRef(fn *types.Func) (codegraph.Ref, bool) {
	fn = fn.Origin()
	ref, ok := m.ref(fn.Name(), fn.Pos())
	if recv := fn.Signature().Recv(); ok && recv != nil {
		if named := namedOf(recv.Type()); named != nil {
			ref.Owner = named.Obj().Name()
		} else {
			ref.Owner = m.ifaceOwner[fn.Pos()]
		}
	}
	return ref, ok
}

func (m *module) typeRef(obj *types.TypeName) (codegraph.Ref, bool) {
	return m.ref(obj.Name(), obj.Pos())
}

func (m *module) ref(name string, pos token.Pos) (codegraph.Ref, bool) {
	file := m.rel(pos)
	return codegraph.Ref{Name: name, File: file, Line: m.line(pos)}, m.files[file]
}

// namedOf is the named type behind aliases and one pointer, or nil.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

func (m *module) line(pos token.Pos) int { return m.fset.Position(pos).Line }

func (m *module) rel(pos token.Pos) string { return m.relFile(m.fset.Position(pos).Filename) }

func (m *module) relFile(name string) string {
	rel, err := filepath.Rel(m.root, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// once says whether it is asked this for the first time.
func (m *module) once(what ...any) bool {
	key := fmt.Sprintln(what...)
	if m.seen[key] {
		return false
	}
	m.seen[key] = true
	return true
}
