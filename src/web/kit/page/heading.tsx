import type { Ref } from 'preact'
import { studyText } from '#web/kit/language/studyText'

type Props = {
  title: string
  /** Whether the study wrote the title. */
  isOfStudy?: boolean | undefined
  heading?: Ref<HTMLHeadingElement>
}

/** The heading of a page, which gets the focus when the person comes to it. */
export const Heading = ({ title, isOfStudy, heading }: Props) => (
  <h1 ref={heading} tabIndex={-1} dir="auto" {...(isOfStudy ? studyText(title) : {})}>
    {title}
  </h1>
)
