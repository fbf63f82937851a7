// highlight.js with the languages that code and runbooks are written in.
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

const others: Record<string, keyof typeof languages> = {
  sh: "bash",
  c: "cpp",
  cc: "cpp",
  h: "cpp",
  hpp: "cpp",
  kt: "java",
  js: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  py: "python",
  rs: "rust",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
  shell: "bash",
};

/** Of a name or a file's ending; undefined: it is shown as it is. */
export const languageOf = (name: string) => (name in languages ? name : others[name]);

/** HTML; highlight.js escapes what it is given. */
export const highlighted = (text: string, language: string) => hljs.highlight(text, { language }).value;
