{{- /*
Names values that the chart does not know, each with the known one that is most like it. JSON schema could refuse them,
but could not say what was meant; files/keys.txt is made from the schema. A key that ends in a dot holds others.
*/ -}}
{{- define "millwright.unknownKeys" -}}
{{- range $key, $value := .values -}}
{{- $path := printf "%s%s" $.path $key -}}
{{- if has $path $.known -}}
{{- else if has (printf "%s." $path) $.known -}}
{{- if kindIs "map" $value -}}
{{- include "millwright.unknownKeys" (dict "values" $value "path" (printf "%s." $path) "known" $.known) -}}
{{- end -}}
{{- else }}
value "{{ $path }}" is unknown to this chart{{ include "millwright.meant" (dict "path" $path "known" $.known) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Likeness is twice the pairs of letters that two names share, of all their pairs; a name in the same place counts a little more. */ -}}
{{- define "millwright.meant" -}}
{{- $parts := splitList "." .path -}}
{{- $name := last $parts | lower -}}
{{- $parent := initial $parts | join "." -}}
{{- $best := "" -}}
{{- $bestScore := 50 -}}
{{- range $known := .known -}}
{{- $candidate := trimSuffix "." $known -}}
{{- $others := splitList "." $candidate -}}
{{- $other := last $others | lower -}}
{{- $pairs := max 1 (add (len $name) (len $other) -2) -}}
{{- $shared := 0 -}}
{{- range $i := until (max 0 (sub (len $name) 1) | int) -}}
{{- if contains (substr $i (add $i 2 | int) $name) $other }}{{ $shared = add $shared 1 }}{{ end -}}
{{- end -}}
{{- $score := div (mul 200 $shared) $pairs -}}
{{- if eq $name $other }}{{ $score = add $score 20 }}{{ end -}}
{{- if eq $parent (initial $others | join ".") }}{{ $score = add $score 15 }}{{ end -}}
{{- if gt $score $bestScore }}{{ $best = $candidate }}{{ $bestScore = $score }}{{ end -}}
{{- end -}}
{{- if $best }}; maybe "{{ $best }}"?{{ else }}; see docs/reference/chart.md for all{{ end -}}
{{- end -}}
