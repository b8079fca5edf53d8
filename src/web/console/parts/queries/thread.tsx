import { useState } from 'preact/hooks'
import type { Place } from '#web/console/data/access'
import { act } from '#web/console/data/request'
import { session } from '#web/console/data/session'
import { Avatar, useFieldTexts, useReading } from '#web/console/parts/field/field'
import { localPath } from '#web/kit/api/localPath'
import type { Answer } from '#web/kit/api/send'
import { useNow } from '#web/kit/page/useNow'
import { Button, Notice, showToast } from '#web/kit/ui/components'
import { Compose } from './compose'
import { daysOpen, isOld, type Query, queryActs } from './queryActs'

type Props = {
  query: Query
  /** Where the participant of the query is. */
  place: Place
  /** Whether the reply has the focus as soon as it is there. */
  takesFocus?: boolean
  /** After something was done. */
  onChanged: (query: Query) => void
}

/** How old a query is, and what it waits for. */
export function QueryPill({ query }: { query: Query }) {
  const { t, count } = useFieldTexts()
  const now = useNow()
  const days = daysOpen(query, now)
  const status = t(`thread.status.${query.status}`)
  const look = query.status === 'open' ? 'query' : query.status === 'answered' ? 'behind' : 'waiting'
  const age = days ? count('thread.days', days) : t('thread.today')
  return (
    <span class={`pill ${look}${isOld(query, now) ? ' old' : ''}`}>
      {query.status === 'closed' ? status : t('thread.age', { status, days: age })}
    </span>
  )
}

/** The messages of a query, and what the person may do with it. */
export function QueryThread({ query, place, takesFocus = false, onChanged }: Props) {
  const { t } = useFieldTexts()
  const { nameOf, formatValue } = useReading()
  const user = session.value?.user._id ?? ''
  const { reply, close, reopen } = queryActs(query, user, place)

  const done = (answer: Answer<Query>, said: 'sent' | 'closed' | 'reopened') => {
    if (!answer.isDone) return answer
    showToast(t(`thread.${said}`))
    onChanged(answer.body)
    return answer
  }
  const answerIt = (text: string, key: string) =>
    act('answerQuery', 'POST', '/queries/:queryId/messages', [query._id], { text }, key)
  const setStatus = (status: 'open' | 'closed') =>
    act('updateQuery', 'PUT', '/queries/:queryId', [query._id], { status })
  const send = async (text: string, key: string) => done(await answerIt(text, key), 'sent')
  async function closeIt(text: string, key: string): Promise<Answer<Query>> {
    if (!text) return done(await setStatus('closed'), 'closed')
    const answered = await answerIt(text, key)
    if (!answered.isDone) return answered
    const closed = await setStatus('closed')
    if (closed.isDone) return done(closed, 'closed')
    // The text has arrived: it must not be sent again.
    showToast(t('thread.sentNotClosed', { message: closed.message }), 'info')
    onChanged(answered.body)
    return answered
  }
  return (
    <section class="thread">
      <div class="thread-head">
        <QueryPill query={query} />
        {query.status !== 'closed' && (
          <span class="soft">{t(query.status === 'open' ? 'thread.turn.site' : 'thread.turn.raiser')}</span>
        )}
      </div>
      <ol class="messages">
        {query.messages.map((message) => {
          const name = nameOf(message.createdBy)
          return (
            <li key={message._id} class="message">
              <Avatar name={name} />
              <div>
                <p class="who">
                  <b>
                    <bdi>{name}</bdi>
                  </b>{' '}
                  · <bdi>{formatValue.moment(message.createdAt)}</bdi>
                </p>
                <p class="said" dir="auto">
                  {message.text}
                </p>
                {message.attachments.map((file) => (
                  <a
                    key={file.fileName}
                    class="answer-file"
                    href={localPath(file.url)}
                    target="_blank"
                    rel="noreferrer"
                  >
                    <bdi>{file.name}</bdi>
                  </a>
                ))}
              </div>
            </li>
          )
        })}
      </ol>
      {reply === 'possible' && (
        <Compose
          subject={query._id}
          takesFocus={takesFocus}
          label={t('thread.replyTo')}
          emptyNote={t('thread.empty')}
          send={{ label: t('thread.send'), act: send }}
          more={
            close === 'possible'
              ? { label: t('thread.close'), labelWithText: t('thread.sendAndClose'), act: closeIt }
              : undefined
          }
        />
      )}
      {reply === 'closed' && <p class="soft">{t('thread.closedNote')}</p>}
      {reopen === 'possible' && <Reopen reopen={async () => done(await setStatus('open'), 'reopened')} />}
    </section>
  )
}

function Reopen({ reopen }: { reopen: () => Promise<Answer<Query>> }) {
  const { t } = useFieldTexts()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  async function press(): Promise<void> {
    setBusy(true)
    setFault(undefined)
    const answer = await reopen()
    setBusy(false)
    if (!answer.isDone) setFault(answer.message)
  }
  return (
    <>
      {fault && <Notice kind="fault" title={fault} isLive />}
      <div class="compose-acts">
        <Button isBusy={isBusy} onPress={() => void press()}>
          {t('thread.reopen')}
        </Button>
      </div>
    </>
  )
}
