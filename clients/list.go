package clients

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

var errOthers = errors.New("the edit would change more than one element")

// setHook adds an element to the array at path, or corrects the command of the one
// that is ours.
func setHook(text []byte, path []string, element any, command string) ([]byte, error) {
	return editHooks(text, path, func(d *document) (*document, error) {
		array := d.find(path)
		if array == nil {
			return d.with(path, []any{element})
		}
		list := items(*array)
		for _, it := range list {
			if literal := ownCommand(it.value); literal != nil {
				return parseJSON(d.text[:literal.StartOffset] + d.format(command, "") + d.text[literal.EndOffset:])
			}
		}
		return parseJSON(d.add(*array, func(depth string) string { return d.format(element, depth) }))
	})
}

// removeHook takes the element that is ours out of the array at path, and the
// array and what is around it where they are empty then.
func removeHook(text []byte, path []string) ([]byte, error) {
	if len(text) == 0 {
		return text, nil
	}
	return editHooks(text, path, func(d *document) (*document, error) {
		array := d.find(path)
		if array == nil {
			return d, nil
		}
		list := items(*array)
		i := slices.IndexFunc(list, func(it item) bool { return ownCommand(it.value) != nil })
		if i < 0 {
			return d, nil
		}
		d, err := parseJSON(d.remove(list, i))
		for n := len(path); n > 0 && err == nil && len(items(*d.find(path[:n]))) == 0; n-- {
			in := d.find(path[:n-1])
			d, err = parseJSON(d.remove(items(*in), member(in.Value.(*hujson.Object), path[n-1])))
		}
		return d, err
	})
}

// editHooks runs an edit of the array at path and makes sure that the other
// elements have not changed, nor anything outside it.
func editHooks(text []byte, path []string, edit func(*document) (*document, error)) ([]byte, error) {
	before, err := otherHooks(text, path)
	if err != nil {
		return nil, err
	}
	after, err := editJSON(text, path, func(d *document) (string, error) {
		d, err := edit(d)
		if err != nil {
			return "", err
		}
		return d.text, nil
	})
	if err != nil {
		return nil, err
	}
	if now, err := otherHooks(after, path); err != nil || !reflect.DeepEqual(before, now) {
		return nil, errOthers
	}
	return after, nil
}

// otherHooks are the elements of the array at path that are not ours.
func otherHooks(text []byte, path []string) ([]any, error) {
	in, err := readJSON(text, path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	name := path[len(path)-1]
	list, ok := in[name].([]any)
	if in[name] != nil && !ok {
		return nil, fmt.Errorf("%s is not a list", strings.Join(path, "."))
	}
	others := []any{} // also where there is no list
	for _, element := range list {
		if !holdsOwnCommand(element) {
			others = append(others, element)
		}
	}
	return others, nil
}

func holdsOwnCommand(value any) bool {
	switch v := value.(type) {
	case string:
		return isOurs(v)
	case []any:
		return slices.ContainsFunc(v, holdsOwnCommand)
	case map[string]any:
		for _, inner := range v {
			if holdsOwnCommand(inner) {
				return true
			}
		}
	}
	return false
}

// ownCommand is the string below a value that is our command, nil where there is none.
func ownCommand(v hujson.Value) *hujson.Value {
	if l, ok := v.Value.(hujson.Literal); ok && l.Kind() == '"' && isOurs(l.String()) {
		return &v
	}
	for _, it := range items(v) {
		if found := ownCommand(it.value); found != nil {
			return found
		}
	}
	return nil
}
