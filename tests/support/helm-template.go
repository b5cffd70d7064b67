// Renders a Helm chart as `helm template` does, where Helm is missing: Go's templates with the functions of sprig and
// those that Helm adds to them, as far as the chart of this repository uses them. Both libraries are packages of Debian.
//
//	helm-template CHART RELEASE VALUES
package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func main() {
	log.SetFlags(0)
	chart := readYaml(filepath.Join(os.Args[1], "Chart.yaml"))
	given := values{}
	check(json.Unmarshal([]byte(os.Args[3]), &given))
	data := values{
		"Values":  merge(readYaml(filepath.Join(os.Args[1], "values.yaml")), given),
		"Release": values{"Name": os.Args[2], "Namespace": "default", "Service": "Helm"},
		"Chart":   values{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(helmFunctions(all))
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	check(err)
	_, err = all.ParseFiles(files...)
	check(err)
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		text, err := execute(all, name, data)
		check(err)
		if strings.HasSuffix(name, ".yaml") {
			os.Stdout.WriteString("---\n" + text)
		}
	}
}

func helmFunctions(all *template.Template) template.FuncMap {
	return template.FuncMap{
		"include": func(name string, data interface{}) (string, error) { return execute(all, name, data) },
		"fail":    func(message string) (string, error) { return "", errors.New(message) },
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	}
}

func execute(all *template.Template, name string, data interface{}) (string, error) {
	var text strings.Builder
	err := all.ExecuteTemplate(&text, name, data)
	return strings.ReplaceAll(text.String(), "<no value>", ""), err
}

func merge(defaults, given values) values {
	for key, value := range given {
		inner, isMap := value.(values)
		outer, wasMap := defaults[key].(values)
		if isMap && wasMap {
			value = merge(outer, inner)
		}
		defaults[key] = value
	}
	return defaults
}

func readYaml(path string) values {
	text, err := os.ReadFile(path)
	check(err)
	found := values{}
	check(yaml.Unmarshal(text, &found))
	return found
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
