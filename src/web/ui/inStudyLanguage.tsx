import { languageOfText } from '#web/common/studyText'

/** A text of the study within a line: with its language and a direction of its own. */
export const StudyText = ({ text, class: name }: { text: string | null | undefined; class?: string }) => (
  <bdi class={name} lang={languageOfText(text)}>
    {text}
  </bdi>
)
