import { highlighted, languageOf } from "./highlight";

export default function Highlighted({ text, language }: { text: string; language: string }) {
  const known = languageOf(language);
  if (!known) return <code>{text}</code>;
  return <code dangerouslySetInnerHTML={{ __html: highlighted(text, known) }} />;
}
