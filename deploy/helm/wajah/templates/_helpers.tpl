{{- define "wajah.labels" -}}
app.kubernetes.io/name: wajah
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "wajah.claim" -}}
{{ .Values.persistence.existingClaim | default (printf "%s-data" .Release.Name) }}
{{- end }}
