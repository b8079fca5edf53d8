import { phoneParts } from './phones'

/** A text of the study whose telephone numbers can be called. */
export const PhoneLinks = ({ text }: { text: string }) => (
  <>
    {phoneParts(text).map(({ text, call }, at) =>
      call === undefined ? (
        text
      ) : (
        <a key={at} href={`tel:${call}`} dir="ltr">
          {text}
        </a>
      ),
    )}
  </>
)
