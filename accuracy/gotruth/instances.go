package gotruth

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// maxInstances bounds the instances of one generic type that are told by what
// its arguments' parameters may be.
const maxInstances = 2_000

// instances are the arguments that the module gives to type parameters, and the
// instances of its generic types that these make. A package with tests is there
// twice, with parameters of its own each time: they go by where they stand.
type instances struct {
	arguments map[token.Pos][]types.Type
	declared  map[token.Pos]token.Pos // a type's parameter, by the one of a method's receiver
	all       []*types.Named
}

func (m *module) findInstances() {
	for _, p := range m.packages {
		for ident, instance := range p.TypesInfo.Instances {
			parameters := parametersOf(p.TypesInfo.Uses[ident])
			for i := range parameters.Len() {
				at := parameters.At(i).Obj().Pos()
				if argument := instance.TypeArgs.At(i); !slices.ContainsFunc(m.arguments[at], func(known types.Type) bool { return types.Identical(known, argument) }) {
					m.arguments[at] = append(m.arguments[at], argument)
				}
			}
		}
		for _, f := range p.Syntax {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil {
					m.receiver(p.TypesInfo.Defs[fn.Name])
				}
			}
		}
	}
	for _, p := range m.packages {
		for _, instance := range p.TypesInfo.Instances {
			if named, ok := instance.Type.(*types.Named); ok {
				for _, args := range m.closed(named.TypeArgs()) {
					m.instance(named.Origin(), args)
				}
			}
		}
	}
}

func parametersOf(obj types.Object) *types.TypeParamList {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin().Signature().TypeParams()
	case *types.TypeName:
		if named := namedOf(obj.Type()); named != nil {
			return named.TypeParams()
		}
	}
	return nil
}

func (m *module) receiver(method types.Object) {
	fn, ok := method.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return
	}
	if named := namedOf(fn.Signature().Recv().Type()); named != nil {
		for i := range fn.Signature().RecvTypeParams().Len() {
			m.declared[fn.Signature().RecvTypeParams().At(i).Obj().Pos()] = named.Origin().TypeParams().At(i).Obj().Pos()
		}
	}
}

// possible are the types without parameters that a type parameter may stand for.
func (m *module) possible(parameter *types.TypeParam) []types.Type {
	var found []types.Type
	seen := map[token.Pos]bool{}
	var look func(at token.Pos)
	look = func(at token.Pos) {
		if own, ok := m.declared[at]; ok {
			at = own
		}
		if seen[at] {
			return
		}
		seen[at] = true
		for _, argument := range m.arguments[at] {
			if other, ok := argument.(*types.TypeParam); ok {
				look(other.Obj().Pos())
			} else if !isOpen(argument) {
				found = append(found, argument)
			}
		}
	}
	look(parameter.Obj().Pos())
	return found
}

// closed are the lists without parameters that a list of arguments may stand for.
func (m *module) closed(args *types.TypeList) [][]types.Type {
	lists := [][]types.Type{nil}
	for i := range args.Len() {
		options := []types.Type{args.At(i)}
		if parameter, ok := args.At(i).(*types.TypeParam); ok {
			options = m.possible(parameter)
		} else if isOpen(args.At(i)) {
			return nil
		}
		var longer [][]types.Type
		for _, list := range lists {
			for _, option := range options {
				if len(longer) < maxInstances {
					longer = append(longer, append(list[:len(list):len(list)], option))
				}
			}
		}
		lists = longer
	}
	return lists
}

// instance notes an instance of a generic type of the module, with those that
// its methods take and return.
func (m *module) instance(origin *types.Named, args []types.Type) {
	made, err := types.Instantiate(nil, origin, args, true)
	named, ok := made.(*types.Named)
	if err != nil || !ok || !m.files[m.rel(named.Obj().Pos())] || !m.once("instance", origin.Obj().Pkg(), types.TypeString(named, nil)) {
		return
	}
	m.all = append(m.all, named)
	if !types.IsInterface(named) {
		m.concretes = append(m.concretes, named)
	}
	for i := range named.NumMethods() {
		for _, tuple := range []*types.Tuple{named.Method(i).Signature().Params(), named.Method(i).Signature().Results()} {
			for j := range tuple.Len() {
				if other := namedOf(tuple.At(j).Type()); other != nil && other.TypeArgs().Len() > 0 && !isOpen(other) {
					m.instance(other.Origin(), m.closed(other.TypeArgs())[0])
				}
			}
		}
	}
}

// isOpen says whether a type has a type parameter in it.
func isOpen(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return isOpen(t.Elem())
	case *types.Slice:
		return isOpen(t.Elem())
	case *types.Array:
		return isOpen(t.Elem())
	case *types.Chan:
		return isOpen(t.Elem())
	case *types.Map:
		return isOpen(t.Key()) || isOpen(t.Elem())
	case *types.Signature:
		return isOpenTuple(t.Params()) || isOpenTuple(t.Results())
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if isOpen(t.TypeArgs().At(i)) {
				return true
			}
		}
	}
	return false
}

func isOpenTuple(tuple *types.Tuple) bool {
	for i := range tuple.Len() {
		if isOpen(tuple.At(i).Type()) {
			return true
		}
	}
	return false
}
