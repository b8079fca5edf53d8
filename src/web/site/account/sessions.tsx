import { useCallback, useEffect, useState } from 'preact/hooks'
import { Button, Dialog, List, Notice, Skeleton, showToast } from '#web/ui/components'
import { deviceText } from './devices'
import { momentText } from './moments'
import { useSession } from './session'
import { useSpeaker } from './speaking'
import type { Speaker } from './texts'

type OwnSession = {
  _id: string
  createdAt: string
  lastSeenAt: string
  address: string | null
  device: string | null
  isCurrent: boolean
}
type Sessions = { sessions: readonly OwnSession[]; count: number }

/** What is said of a session, below its device. */
function notesOf(speaker: Speaker, { createdAt, lastSeenAt, address, isCurrent }: OwnSession): string[] {
  const { say } = speaker
  return [
    ...(isCurrent ? [say('sessions.current')] : []),
    say('sessions.began', { moment: momentText(speaker, createdAt) }),
    ...(isCurrent ? [] : [say('sessions.used', { moment: momentText(speaker, lastSeenAt) })]),
    ...(address ? [say('sessions.from', { address })] : []),
  ]
}

/** Where the person is signed in, and how to end it. */
export function Page() {
  const speaker = useSpeaker()
  const { say } = speaker
  const { send } = useSession()
  const [list, setList] = useState<Sessions>()
  const [fault, setFault] = useState<string>()
  const [chosen, choose] = useState<OwnSession | 'others'>()

  const load = useCallback(async () => {
    const answer = await send<Sessions>('GET', '/users/me/sessions')
    if (answer.isDone) setList(answer.body)
    else setFault(answer.message)
  }, [send])
  useEffect(() => void load(), [load])

  const ended = (text: string) => {
    choose(undefined)
    showToast(text)
    return load()
  }
  return (
    <>
      <p class="lead">{say('sessions.note')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
      <section class="card">
        {!list && !fault && <Skeleton lines={4} />}
        {list && (
          <List
            label={say('sessions.title')}
            items={list.sessions}
            keyOf={({ _id }) => _id}
            titleOf={({ device }) => deviceText(speaker, device)}
            notesOf={(session) => notesOf(speaker, session)}
            actionOf={(session) =>
              !session.isCurrent && (
                <Button
                  label={say('sessions.endLabel', { device: deviceText(speaker, session.device) })}
                  onPress={() => choose(session)}
                >
                  {say('sessions.end')}
                </Button>
              )
            }
          />
        )}
        {list && list.count > list.sessions.length && <p class="note">{say('sessions.more')}</p>}
        {list && list.count > 1 && (
          <div class="actions">
            <Button onPress={() => choose('others')}>{say('sessions.endOthers')}</Button>
          </div>
        )}
      </section>
      {chosen === 'others' && (
        <End
          title={say('sessions.endOthersTitle')}
          path="/users/me/sessions"
          onClose={() => choose(undefined)}
          onEnded={() => ended(say('sessions.endedOthers'))}
        />
      )}
      {typeof chosen === 'object' && (
        <End
          title={say('sessions.endTitle')}
          what={deviceText(speaker, chosen.device)}
          path={`/users/me/sessions/${chosen._id}`}
          onClose={() => choose(undefined)}
          onEnded={() => ended(say('sessions.ended'))}
        />
      )}
    </>
  )
}

type EndProps = { title: string; what?: string; path: string; onClose: () => void; onEnded: () => void }

/** Asks before sessions end, since somebody may be at work in them. */
function End({ title, what, path, onClose, onEnded }: EndProps) {
  const { say } = useSpeaker()
  const { send } = useSession()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const end = async () => {
    setBusy(true)
    const answer = await send('DELETE', path)
    setBusy(false)
    // One that has ended meanwhile needs no end.
    if (answer.isDone || answer.status === 404) onEnded()
    else setFault(answer.message)
  }
  return (
    <Dialog
      title={title}
      action={{ label: say('sessions.end'), kind: 'danger', isBusy, onPress: end }}
      onClose={onClose}
    >
      {what && (
        <p>
          <bdi class="strong">{what}</bdi>
        </p>
      )}
      <p>{say('sessions.endNote')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
    </Dialog>
  )
}
