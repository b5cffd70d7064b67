package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// Five seconds to connect, a minute for the whole call.
var client = http.Client{
	Timeout:   time.Minute,
	Transport: &http.Transport{DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext},
}

var token string

type fields map[string]any

// call posts fields and pictures (paths of files) as a form, or fields alone as JSON, and reads the answer. It returns
// the status: 200 or one that is accepted; another one ends the program.
func call(path string, given fields, pictures map[string]string, answer any, accepted ...string) string {
	body, kind := bodyOf(given, pictures)
	code, text := post(path, kind, body)
	outcome := struct {
		Status, Detail string
		Token          string `json:"access_token"`
	}{Status: "no answer of Wajah:", Detail: string(text)}
	if err := json.Unmarshal(text, &outcome); err != nil {
		log.Fatalf("HTTP %d %s", code, text)
	}
	// A token has no status.
	if outcome.Token != "" {
		outcome.Status = "200"
	}
	for _, status := range append(accepted, "200") {
		if outcome.Status == status {
			must(json.Unmarshal(text, answer))
			return status
		}
	}
	log.Fatal(outcome.Status, " ", outcome.Detail)
	return ""
}

// post returns the HTTP status and the body of the answer. A call that is answered 429 or 503 was not done: it is
// repeated after the seconds of Retry-After, four tries in all.
func post(path, kind string, body []byte) (int, []byte) {
	for try := 1; ; try++ {
		request, err := http.NewRequest("POST", os.Getenv("URL")+path, bytes.NewReader(body))
		must(err)
		request.Header.Set("Content-Type", kind)
		if token != "" {
			request.Header.Set("Accesstoken", token)
		}
		response, err := client.Do(request)
		must(err)
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		must(err)
		wait, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil {
			wait = 1
		}
		if (response.StatusCode != 429 && response.StatusCode != 503) || try == 4 || wait > 60 {
			return response.StatusCode, text
		}
		time.Sleep(time.Duration(wait) * time.Second)
	}
}

func bodyOf(given fields, pictures map[string]string) ([]byte, string) {
	body := &bytes.Buffer{}
	if pictures == nil {
		must(json.NewEncoder(body).Encode(given))
		return body.Bytes(), "application/json"
	}
	form := multipart.NewWriter(body)
	for name, value := range given {
		must(form.WriteField(name, fmt.Sprint(value)))
	}
	for name, file := range pictures {
		picture, err := os.ReadFile(file)
		must(err)
		part, err := form.CreateFormFile(name, "picture.jpg")
		must(err)
		part.Write(picture)
	}
	must(form.Close())
	return body.Bytes(), form.FormDataContentType()
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
	call("/oauth/client/token", fields{"client_id": os.Getenv("CLIENT"), "password": os.Getenv("PASSWORD")}, nil, &login)
	token = login.AccessToken

	// 417: the gallery exists. 409: the person is enrolled.
	gallery := fields{"facegallery_id": "staff"}
	call("/face-api/facegallery/create-facegallery", gallery, nil, &struct{}{}, "417")

	portrait := fields{"facegallery_id": "staff", "user_id": "3174001", "user_name": "Sri Rahayu"}
	enrolled := call("/face-api/facegallery/enroll-face", portrait, map[string]string{"image": "sri-1.jpg"}, &struct{}{}, "409")
	fmt.Println("enrolled:", map[string]string{"200": "now", "409": "before"}[enrolled])

	var verified struct{ Verified bool }
	person := fields{"facegallery_id": "staff", "user_id": "3174001"}
	call("/face-api/facegallery/verify-face", person, map[string]string{"image": "sri-2.jpg"}, &verified)
	fmt.Println("verified:", verified.Verified)

	// 411 is an answer: nobody of the gallery is on the picture.
	for _, picture := range []string{"sri-2.jpg", "darma.jpg"} {
		var found struct {
			Return []struct {
				UserName string `json:"user_name"`
			}
		}
		name := "not recognised"
		if call("/face-api/facegallery/identify-face", gallery, map[string]string{"image": picture}, &found, "411") == "200" {
			name = found.Return[0].UserName
		}
		fmt.Printf("%s: %s\n", picture, name)
	}

	// A liveness session that the server shows: the person opens the link, and this program waits for the result.
	var session struct {
		ID  string `json:"session_id"`
		URL string
	}
	hosted := fields{"facegallery_id": "staff", "user_id": "3174001", "hosted": true}
	call("/liveness-api/create-session", hosted, nil, &session)
	fmt.Println("open:", session.URL)
	seconds, err := strconv.Atoi(os.Getenv("WAIT"))
	if err != nil {
		seconds = 600
	}
	until := time.Now().Add(time.Duration(seconds) * time.Second)
	var result struct {
		State string
		Token string `json:"liveness_token"`
	}
	for {
		call("/liveness-api/get-session", fields{"session_id": session.ID}, nil, &result)
		if (result.State != "waiting" && result.State != "open") || time.Now().After(until) {
			break
		}
		time.Sleep(2 * time.Second)
	}
	fmt.Println("liveness:", result.State)
	if result.State == "passed" {
		// The token is good for one call about the face that passed.
		live := fields{"facegallery_id": "staff", "user_id": "3174001", "liveness_token": result.Token}
		call("/face-api/facegallery/verify-face", live, map[string]string{"image": "sri-2.jpg"}, &verified)
		fmt.Println("verified live:", verified.Verified)
	}
}
