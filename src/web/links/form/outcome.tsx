/** What became of answers. */
import type { ComponentChildren } from 'preact'
import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem, Sent } from '#web/app/device/model'
import { sentenceOf } from '#web/app/form/problems'
import type { Written } from '#web/app/form/written'
import { Notice } from '#web/ui/components'
import { EndPage } from '../frame'
import { useSpeaker } from '../speaking'

type Props = { sent: Exclude<Sent, { kind: 'refused' }>; over: string | undefined; children?: ComponentChildren }

/** The page after the answers have been sent, or while they wait for a connection. */
export function Outcome({ sent, over, children }: Props) {
  const { say } = useSpeaker()
  if (sent.kind === 'waiting') {
    return (
      <EndPage icon="inbox" title={say('form.waiting')} note={say('stage.waitingNote')} over={over}>
        {children}
      </EndPage>
    )
  }
  return (
    <EndPage icon="success" title={say('form.stored')} note={say('link.close')} over={over}>
      {sent.postSubmissionText && (
        <p dir="auto" class="after-text">
          {sent.postSubmissionText}
        </p>
      )}
      {sent.messages.map((message) => (
        <p dir="auto" class="notice info" key={message}>
          {message}
        </p>
      ))}
      {children}
    </EndPage>
  )
}

/** Why the server did not take the answers, above the form with them. */
export function Refusal({ problem, texts, written }: { problem: EntryProblem; texts: AnswerTexts; written: Written }) {
  const { say } = useSpeaker()
  const { code, message, fields } = problem
  const titles: Record<string, string> = {
    closed: say('stage.closed'),
    notOpenYet: say('stage.notYet'),
    withdrawn: say('stage.withdrawn'),
    archived: say('stage.withdrawn'),
    expired: say('link.expired'),
    needsCode: say('poll.confirmFirst'),
    notConsented: say('poll.notConsented'),
    answeredAlready: say('poll.answeredAlready'),
    noSuchLink: say('link.ended'),
    needsEmail: say('poll.needsEmail'),
    needsPhone: say('poll.needsPhone'),
  }
  const known = code !== undefined && Object.hasOwn(titles, code) ? titles[code] : undefined
  return (
    <Notice kind="fault" title={known ?? say('form.refused')} isLive>
      {Object.keys(fields).length > 0 ? (
        <ul class="refusals">
          {Object.entries(fields).map(([dataType, each]) => (
            <li key={dataType}>
              <bdi>{sentenceOf(each, texts, written)}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        known === undefined && <p dir="auto">{message}</p>
      )}
      <p>{say('stage.refusedNote')}</p>
    </Notice>
  )
}
