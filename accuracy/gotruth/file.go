package gotruth

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/gitnexus/gitnexus-mcp/accuracy/codegraph"
)

// file is one source file while it is read.
type file struct {
	*module
	name string
	pkg  *packages.Package
	// callees are the names that stand where a call says what it calls.
	callees map[*ast.Ident]bool
}

// caller is who calls: a function, and the local functions and variables it
// stands in, which are as good.
type caller struct {
	from codegraph.Ref
	alts []codegraph.Ref
}

func (c caller) within(ref codegraph.Ref) caller {
	return caller{c.from, append(c.alts[:len(c.alts):len(c.alts)], ref)}
}

func (f *file) read(syntax *ast.File) {
	f.callees = map[*ast.Ident]bool{}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			ref := f.here(d.Name)
			kind := "function"
			if d.Recv != nil && len(d.Recv.List) > 0 {
				kind, ref.Owner = "method", receiver(d.Recv.List[0].Type)
			}
			f.symbol(d.Name, kind, d, ref.Owner, false, false)
			if d.Body != nil {
				f.walk(d.Body, caller{from: ref})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					f.typeSpec(spec, false)
				case *ast.ValueSpec:
					f.values(spec, d.Tok)
				}
			}
		}
	}
}

func (f *file) values(spec *ast.ValueSpec, tok token.Token) {
	kind := "variable"
	if tok == token.CONST {
		kind = "const"
	}
	for _, name := range spec.Names {
		f.symbol(name, kind, spec, "", false, false)
	}
	for i, value := range spec.Values {
		c := caller{from: codegraph.Ref{Name: codegraph.Module, File: f.name}}
		for j, name := range spec.Names {
			if i == j || len(spec.Values) == 1 {
				c = c.within(f.here(name))
			}
		}
		f.walk(value, c)
	}
}

func (f *file) typeSpec(spec *ast.TypeSpec, local bool) {
	kind, owner := "type", spec.Name.Name
	var embedded *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		kind, embedded = "struct", t.Fields
		for _, field := range t.Fields.List {
			for _, name := range field.Names {
				f.symbol(name, "property", field, owner, local, false)
			}
		}
	case *ast.InterfaceType:
		kind, embedded = "interface", t.Methods
		for _, method := range t.Methods.List {
			for _, name := range method.Names {
				f.symbol(name, "method", method, owner, local, true)
			}
		}
	}
	f.symbol(spec.Name, kind, spec, "", local, false)
	if embedded == nil || local {
		return
	}
	for _, field := range embedded.List {
		if len(field.Names) > 0 {
			continue
		}
		if named := namedOf(f.pkg.TypesInfo.TypeOf(field.Type)); named != nil {
			if to, ok := f.typeRef(named.Obj()); ok {
				f.graph.Extends = append(f.graph.Extends, codegraph.Pair{From: f.here(spec.Name), To: to})
			}
		}
	}
}

func (f *file) symbol(name *ast.Ident, kind string, whole ast.Node, owner string, local, abstract bool) {
	if name.Name == "_" {
		return
	}
	ref := f.here(name)
	ref.Owner = owner
	f.graph.Symbols = append(f.graph.Symbols, codegraph.Symbol{Ref: ref, Kind: kind, EndLine: f.line(whole.End()), Local: local, Abstract: abstract})
}

// here names what is declared at an identifier of this file.
func (f *file) here(name *ast.Ident) codegraph.Ref {
	return codegraph.Ref{Name: name.Name, File: f.name, Line: f.line(name.Pos())}
}

// walk reads what is called in a body or an initial value.
func (f *file) walk(n ast.Node, c caller) {
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			return !f.localFunctions(x, c)
		case *ast.TypeSpec:
			f.typeSpec(x, true)
		case *ast.CompositeLit:
			if named := namedOf(f.pkg.TypesInfo.TypeOf(x)); named != nil {
				f.uses(c, named.Obj())
			}
		case *ast.CallExpr:
			f.callee(x, c)
		case *ast.FuncLit:
			f.around(c)
			f.forwarded(x)
		case *ast.Ident:
			fn, ok := f.pkg.TypesInfo.Uses[x].(*types.Func)
			if !ok || f.callees[x] {
				return true
			}
			ref, ok := f.funcRef(fn)
			switch {
			case throughInterface(fn):
				if ok {
					f.graph.Taken = append(f.graph.Taken, ref)
				}
				// Whoever gets the method may call any implementation of it.
				for _, target := range f.implementers(fn.Signature().Recv().Type(), fn.Name()) {
					f.graph.Taken = append(f.graph.Taken, target)
					f.call(c, codegraph.Call{To: target, Kind: codegraph.Possible})
				}
			case ok:
				f.call(c, codegraph.Call{To: ref, Kind: codegraph.Reference})
			}
		}
		return true
	})
}

// localFunctions reads `name := func() {...}`, where the name is as good a
// caller as the function around it. False when there is none.
func (f *file) localFunctions(a *ast.AssignStmt, c caller) bool {
	named := func(i int) (*ast.Ident, *ast.FuncLit) {
		lit, isFunc := a.Rhs[i].(*ast.FuncLit)
		name, isName := a.Lhs[i].(*ast.Ident)
		if !isFunc || !isName {
			return nil, nil
		}
		return name, lit
	}
	found := false
	for i := range a.Rhs {
		if len(a.Lhs) == len(a.Rhs) {
			name, _ := named(i)
			found = found || name != nil
		}
	}
	if !found {
		return false
	}
	for i := range a.Rhs {
		name, lit := named(i)
		if name == nil {
			f.walk(a.Lhs[i], c)
			f.walk(a.Rhs[i], c)
			continue
		}
		if a.Tok == token.DEFINE {
			f.symbol(name, "function", lit, "", true, false)
		}
		f.around(c)
		f.forwarded(lit)
		f.walk(lit.Body, c.within(f.here(name)))
	}
	return true
}

// callee reads what one call calls.
func (f *file) callee(call *ast.CallExpr, c caller) {
	info := f.pkg.TypesInfo
	var id *ast.Ident
	obj := types.Object(nil)
	switch fun := f.uninstantiated(call.Fun).(type) {
	case *ast.Ident:
		id, obj = fun, info.Uses[fun]
	case *ast.SelectorExpr:
		id, obj = fun.Sel, info.Uses[fun.Sel]
		if s, ok := info.Selections[fun]; ok {
			obj = s.Obj()
			if fn, ok := obj.(*types.Func); ok && throughInterface(fn) {
				f.callees[id] = true
				f.interfaceCall(c, fn.Origin(), s.Recv())
				return
			}
		}
	default:
		return
	}
	f.callees[id] = true
	switch obj := obj.(type) {
	case *types.Func:
		if ref, ok := f.funcRef(obj); ok {
			f.call(c, codegraph.Call{To: ref, Kind: codegraph.Static})
		} else {
			f.handed(c, obj, call.Args)
		}
	case *types.TypeName: // a conversion
		f.uses(c, obj)
	case *types.Builtin:
		if obj.Name() == "new" && len(call.Args) == 1 {
			if named := namedOf(info.TypeOf(call.Args[0])); named != nil {
				f.uses(c, named.Obj())
			}
		}
	case *types.Var: // a function in a variable or a field
		if ref, ok := f.ref(obj.Name(), obj.Pos()); ok {
			f.call(c, codegraph.Call{To: ref, Kind: codegraph.Other})
		}
		f.unresolved(c, obj.Name())
	case nil:
		f.unresolved(c, id.Name)
	}
}

// uninstantiated takes type arguments and parentheses off what is called.
func (f *file) uninstantiated(e ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexListExpr:
			e = x.X
		case *ast.IndexExpr:
			if tv := f.pkg.TypesInfo.Types[x.Index]; !tv.IsType() {
				return x
			}
			e = x.X
		default:
			return x
		}
	}
}

// interfaceCall notes a call through an interface; the type of the receiver may
// be a larger one than the one that declares the method.
func (f *file) interfaceCall(c caller, fn *types.Func, recv types.Type) {
	if _, ok := recv.Underlying().(*types.Interface); !ok { // embedded in a struct
		recv = fn.Signature().Recv().Type()
	}
	targets := f.implementers(recv, fn.Name())
	if ref, ok := f.funcRef(fn); ok {
		f.call(c, codegraph.Call{To: ref, Kind: codegraph.Interface, ToAlts: targets})
	} else if len(targets) > 0 {
		f.call(c, codegraph.Call{To: targets[0], Kind: codegraph.Possible, ToAlts: targets[1:]})
	}
}

// lookedFor are the methods that the library looks for in what it is handed as
// any, or as less than they are.
var lookedFor = []string{
	"Error", "String", "GoString", "Format", "Scan", "Value", "LogValue", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
	"MarshalXML", "UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr", "GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary",
	"ReadFrom", "WriteTo", "WriteString",
}

// handed notes the methods that a function outside of the module may run, since
// it is handed what has them.
func (f *file) handed(c caller, fn *types.Func, args []ast.Expr) {
	params := fn.Signature().Params()
	for i, arg := range args {
		methods := lookedFor
		if i < params.Len() {
			if it, ok := params.At(i).Type().Underlying().(*types.Interface); ok {
				for method := range it.Methods() {
					methods = append(methods[:len(methods):len(methods)], method.Name())
				}
			}
		}
		f.mayRun(c, f.pkg.TypesInfo.TypeOf(arg), methods, map[types.Type]bool{})
	}
}

// mayRun notes these methods of a type and of its parts.
func (f *file) mayRun(c caller, t types.Type, methods []string, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	named, _ := types.Unalias(t).(*types.Named)
	for _, method := range methods {
		if named == nil {
			break
		}
		var recv types.Type = types.NewPointer(named)
		if types.IsInterface(named) {
			recv = named
			for _, ref := range f.implementers(named, method) {
				f.call(c, codegraph.Call{To: ref, Kind: codegraph.Possible})
			}
		}
		obj, _, _ := types.LookupFieldOrMethod(recv, true, named.Obj().Pkg(), method)
		if fn, ok := obj.(*types.Func); ok {
			if ref, ok := f.funcRef(fn); ok {
				f.call(c, codegraph.Call{To: ref, Kind: codegraph.Possible})
			}
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		f.mayRun(c, t.Elem(), methods, seen)
	case *types.Slice:
		f.mayRun(c, t.Elem(), methods, seen)
	case *types.Array:
		f.mayRun(c, t.Elem(), methods, seen)
	case *types.Map:
		f.mayRun(c, t.Key(), methods, seen)
		f.mayRun(c, t.Elem(), methods, seen)
	case *types.Struct:
		for field := range t.Fields() {
			f.mayRun(c, field.Type(), methods, seen)
		}
	}
}

func throughInterface(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// uses notes that a type of the module is made or converted to.
func (f *file) uses(c caller, obj *types.TypeName) {
	if ref, ok := f.typeRef(obj); ok {
		f.call(c, codegraph.Call{To: ref, Kind: codegraph.Other})
	}
}

func (f *file) call(c caller, call codegraph.Call) {
	call.From, call.FromAlts = c.from, c.alts
	if f.once("call", call.From, call.To, call.Kind, call.FromAlts) {
		f.graph.Calls = append(f.graph.Calls, call)
	}
}

func (f *file) unresolved(c caller, name string) {
	call := codegraph.Call{From: c.from, FromAlts: c.alts, To: codegraph.Ref{Name: name}}
	if f.once("unresolved", call.From, name, call.FromAlts) {
		f.graph.Unresolved = append(f.graph.Unresolved, call)
	}
}

// around notes that a function without a name stands in the code of a function.
func (f *file) around(c caller) {
	if f.once("around", c.from, c.alts) {
		f.graph.Around = append(append(f.graph.Around, c.from), c.alts...)
	}
}

// forwarded notes what a function without a name calls that does no more.
func (f *file) forwarded(lit *ast.FuncLit) {
	if len(lit.Body.List) != 1 {
		return
	}
	var only ast.Expr
	switch s := lit.Body.List[0].(type) {
	case *ast.ExprStmt:
		only = s.X
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			only = s.Results[0]
		}
	}
	call, ok := only.(*ast.CallExpr)
	if !ok {
		return
	}
	id, ok := f.uninstantiated(call.Fun).(*ast.Ident)
	if sel, isSelector := f.uninstantiated(call.Fun).(*ast.SelectorExpr); isSelector {
		id, ok = sel.Sel, true
	}
	if !ok {
		return
	}
	if fn, ok := f.pkg.TypesInfo.Uses[id].(*types.Func); ok {
		if ref, ok := f.funcRef(fn); ok {
			f.graph.Around = append(f.graph.Around, ref)
		}
	}
}

// receiver is the name of a method's receiver type.
func receiver(e ast.Expr) string {
	switch t := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
