import { languageOfText } from '#web/kit/language/studyText'

/** A text of the study within a line: with its language and a direction of its own. */
export const StudyText = ({ text, class: name }: { text: string | null | undefined; class?: string }) => (
  <bdi class={name} lang={languageOfText(text)}>
    {text}
  </bdi>
)

/** A sentence of the app in which a text of the study stands: that part in its own language. */
export function Sentence({ text, of }: { text: string; of: string }) {
  const at = of ? text.indexOf(of) : -1
  if (at < 0) return <bdi>{text}</bdi>
  return (
    <bdi>
      {text.slice(0, at)}
      <StudyText text={of} />
      {text.slice(at + of.length)}
    </bdi>
  )
}
