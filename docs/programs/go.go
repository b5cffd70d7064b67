package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"mime/multipart"
	"net/http"
	"os"
)

var token string

// call posts fields and pictures (paths of files) as a form, or fields alone as JSON, and reads the answer.
func call(path string, fields, pictures map[string]string, answer any) {
	body := &bytes.Buffer{}
	kind := "application/json"
	if pictures == nil {
		must(json.NewEncoder(body).Encode(fields))
	} else {
		form := multipart.NewWriter(body)
		for name, value := range fields {
			must(form.WriteField(name, value))
		}
		for name, file := range pictures {
			picture, err := os.ReadFile(file)
			must(err)
			part, err := form.CreateFormFile(name, "picture.jpg")
			must(err)
			part.Write(picture)
		}
		must(form.Close())
		kind = form.FormDataContentType()
	}
	request, err := http.NewRequest("POST", os.Getenv("URL")+path, body)
	must(err)
	request.Header.Set("Content-Type", kind)
	if token != "" {
		request.Header.Set("Accesstoken", token)
	}
	response, err := http.DefaultClient.Do(request)
	must(err)
	defer response.Body.Close()
	text := &bytes.Buffer{}
	_, err = text.ReadFrom(response.Body)
	must(err)
	var outcome struct{ Status, Detail string }
	must(json.Unmarshal(text.Bytes(), &outcome))
	if response.StatusCode != 200 || outcome.Detail != "" {
		log.Fatal(outcome.Status, " ", outcome.Detail)
	}
	must(json.Unmarshal(text.Bytes(), answer))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	var login struct {
		AccessToken string `json:"access_token"`
	}
	call("/oauth/client/token", map[string]string{"client_id": os.Getenv("CLIENT"), "password": os.Getenv("PASSWORD")}, nil, &login)
	token = login.AccessToken

	gallery := map[string]string{"facegallery_id": "staff"}
	call("/face-api/facegallery/create-facegallery", gallery, nil, &struct{}{})

	var enrolled struct{ Status string }
	portrait := map[string]string{"facegallery_id": "staff", "user_id": "3174001", "user_name": "Sri Rahayu"}
	call("/face-api/facegallery/enroll-face", portrait, map[string]string{"image": "sri-1.jpg"}, &enrolled)
	fmt.Println("enrolled:", enrolled.Status)

	var verified struct{ Verified bool }
	person := map[string]string{"facegallery_id": "staff", "user_id": "3174001"}
	call("/face-api/facegallery/verify-face", person, map[string]string{"image": "sri-2.jpg"}, &verified)
	fmt.Println("verified:", verified.Verified)

	var identified struct {
		Return []struct {
			UserName string `json:"user_name"`
		}
	}
	call("/face-api/facegallery/identify-face", gallery, map[string]string{"image": "sri-2.jpg"}, &identified)
	fmt.Println("identified:", identified.Return[0].UserName)

	// A liveness session: the camera takes a picture of each step.
	var session struct {
		ID    string `json:"session_id"`
		Steps []string
	}
	call("/liveness-api/create-session", map[string]string{"steps": "3"}, nil, &session)
	fields, frames := map[string]string{"session_id": session.ID}, map[string]string{}
	for i, step := range session.Steps {
		fields[fmt.Sprintf("frames[%d].step", i)] = step
		frames[fmt.Sprintf("frames[%d].image", i)] = fmt.Sprintf("camera/%s %d.jpg", step, i+1)
	}
	var judged struct{ Liveness string }
	call("/liveness-api/submit-session", fields, frames, &judged)
	fmt.Println("liveness:", judged.Liveness)
}
