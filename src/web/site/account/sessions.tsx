import { useCallback, useEffect, useState } from 'preact/hooks'
import { Button, Dialog, List, Notice, Skeleton, showToast } from '#web/kit/ui/components'
import { deviceText } from './devices'
import { momentText } from './momentText'
import { useSession } from './session'
import type { Translator } from './texts'
import { useTranslator } from './translator'

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
function notesOf(translator: Translator, { createdAt, lastSeenAt, address, isCurrent }: OwnSession): string[] {
  const { t } = translator
  return [
    ...(isCurrent ? [t('sessions.current')] : []),
    t('sessions.began', { moment: momentText(translator, createdAt) }),
    ...(isCurrent ? [] : [t('sessions.used', { moment: momentText(translator, lastSeenAt) })]),
    ...(address ? [t('sessions.from', { address })] : []),
  ]
}

/** Where the person is signed in, and how to end it. */
export function Page() {
  const translator = useTranslator()
  const { t } = translator
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

  const closeDialog = (text: string) => {
    choose(undefined)
    showToast(text)
    return load()
  }
  return (
    <>
      <p class="lead">{t('sessions.note')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
      <section class="card">
        {!list && !fault && <Skeleton lines={4} />}
        {list && (
          <List
            label={t('sessions.title')}
            items={list.sessions}
            keyOf={({ _id }) => _id}
            titleOf={({ device }) => deviceText(translator, device)}
            notesOf={(session) => notesOf(translator, session)}
            actionOf={(session) =>
              !session.isCurrent && (
                <Button
                  label={t('sessions.endLabel', { device: deviceText(translator, session.device) })}
                  onPress={() => choose(session)}
                >
                  {t('sessions.end')}
                </Button>
              )
            }
          />
        )}
        {list && list.count > list.sessions.length && <p class="note">{t('sessions.more')}</p>}
        {list && list.count > 1 && (
          <div class="actions">
            <Button onPress={() => choose('others')}>{t('sessions.endOthers')}</Button>
          </div>
        )}
      </section>
      {chosen === 'others' && (
        <EndSessions
          title={t('sessions.endOthersTitle')}
          path="/users/me/sessions"
          onClose={() => choose(undefined)}
          onEnded={() => closeDialog(t('sessions.endedOthers'))}
        />
      )}
      {typeof chosen === 'object' && (
        <EndSessions
          title={t('sessions.endTitle')}
          what={deviceText(translator, chosen.device)}
          path={`/users/me/sessions/${chosen._id}`}
          onClose={() => choose(undefined)}
          onEnded={() => closeDialog(t('sessions.ended'))}
        />
      )}
    </>
  )
}

type EndProps = { title: string; what?: string; path: string; onClose: () => void; onEnded: () => void }

/** Asks before sessions end, since somebody may be at work in them. */
function EndSessions({ title, what, path, onClose, onEnded }: EndProps) {
  const { t } = useTranslator()
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
    <Dialog title={title} action={{ label: t('sessions.end'), kind: 'danger', isBusy, onPress: end }} onClose={onClose}>
      {what && (
        <p>
          <bdi class="strong">{what}</bdi>
        </p>
      )}
      <p>{t('sessions.endNote')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
    </Dialog>
  )
}
