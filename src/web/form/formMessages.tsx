/** What a form says after it was sent: the text of the study, and the messages of its rules. */

import type { RuleMessage } from '#web/form/answers/model'
import { studyText } from '#web/kit/language/studyText'
import { PhoneLinks } from './phoneLinks'

export function FormMessages({ text, messages }: { text: string | null; messages: readonly RuleMessage[] }) {
  return (
    <>
      {text && (
        <p class="after-text" {...studyText(text)}>
          {text}
        </p>
      )}
      {messages.map(({ id, severity, message }) => (
        <div class={`notice ${severity === 'urgent' ? 'fault strong' : 'info'}`} key={id}>
          <p class="after-text" {...studyText(message)}>
            <PhoneLinks text={message} />
          </p>
        </div>
      ))}
    </>
  )
}
