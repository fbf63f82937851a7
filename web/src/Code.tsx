// An excerpt of code, with its path and the numbers of its lines.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";

const languages = { bash, cpp, go, java, javascript, json, python, rust, sql, typescript, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

const byEnding: Record<string, keyof typeof languages> = {
  sh: "bash",
  bash: "bash",
  c: "cpp",
  cc: "cpp",
  cpp: "cpp",
  h: "cpp",
  hpp: "cpp",
  go: "go",
  java: "java",
  kt: "java",
  js: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  json: "json",
  py: "python",
  rs: "rust",
  sql: "sql",
  ts: "typescript",
  tsx: "typescript",
  yaml: "yaml",
  yml: "yaml",
};

export default function Code({ path, text, begin }: { path: string; text: string; begin: number }) {
  const language = byEnding[path.slice(path.lastIndexOf(".") + 1)];
  const lines = text.replace(/\n$/, "").split("\n").length;
  return (
    <figure className="code">
      <figcaption>
        {path}:{begin}-{begin + lines - 1}
      </figcaption>
      <pre tabIndex={0} aria-label={`${path} from line ${begin}`}>
        <span className="numbers" aria-hidden="true">
          {Array.from({ length: lines }, (_, i) => `${begin + i}\n`).join("")}
        </span>
        {language ? (
          // highlight.js escapes what it is given.
          <code dangerouslySetInnerHTML={{ __html: hljs.highlight(text, { language }).value }} />
        ) : (
          <code>{text}</code>
        )}
      </pre>
    </figure>
  );
}
