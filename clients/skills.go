package clients

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
)

//go:embed skills
var skills embed.FS

// ownSkill ends each skill that this program writes.
const ownSkill = "\n<!-- Written by gitnexus-mcp install --skills; gitnexus-mcp uninstall takes it out. -->\n"

// skillFolders are the folders of a project in which a client looks for skills. A
// user's skills are below ~/.agents where several clients share them, else beside
// the client's settings. Claude Desktop takes skills in its window alone.
var skillFolders = map[string]string{
	"claude-code": ".claude", "windsurf": ".windsurf", "jetbrains": ".junie",
	"cursor": ".agents", "vscode": ".agents", "zed": ".agents", "codex": ".agents", "gemini": ".agents", "opencode": ".agents", "copilot-cli": ".agents",
}

// SkillFiles are the files that InstallSkills writes for a user, or in a project's
// folder; none where the client reads no skills from files.
func (c Client) SkillFiles(e Env, project string) []string {
	folder, ok := skillFolders[c.ID]
	if !ok {
		return nil
	}
	dir, _ := c.user(e)
	switch {
	case project != "":
		dir = filepath.Join(project, folder)
	case folder == ".agents":
		dir = e.home(folder)
	}
	var files []string
	for _, name := range SkillNames() {
		files = append(files, filepath.Join(dir, "skills", name, "SKILL.md"))
	}
	return files
}

// SkillNames are the names of the skills there are.
func SkillNames() []string {
	var names []string
	folders, _ := fs.ReadDir(skills, "skills") // it is in the program
	for _, f := range folders {
		names = append(names, f.Name())
	}
	return names
}

// Skill is the text of a skill.
func Skill(name string) ([]byte, error) {
	text, err := skills.ReadFile(path.Join("skills", name, "SKILL.md"))
	return append(slices.Clip(text), ownSkill...), err
}

// AddSkill says how a file of SkillFiles takes its skill.
func AddSkill(file string) (Change, error) {
	return edit(file, func(text []byte) ([]byte, error) {
		if len(text) > 0 && !bytes.HasSuffix(text, []byte(ownSkill)) {
			return nil, fmt.Errorf("there is a skill of that name which gitnexus-mcp has not written")
		}
		return Skill(filepath.Base(filepath.Dir(file)))
	})
}

// RemoveSkill says how that file goes. One that was not written by AddSkill stays.
func RemoveSkill(file string) (Change, error) {
	change, err := edit(file, func(text []byte) ([]byte, error) { return text, nil })
	if err != nil || !bytes.HasSuffix(change.Before, []byte(ownSkill)) {
		return change, err
	}
	own, err := Skill(filepath.Base(filepath.Dir(file)))
	change.Removed, change.Ours = true, bytes.Equal(change.Before, own)
	return change, err
}
