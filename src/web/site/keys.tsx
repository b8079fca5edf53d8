import { useCallback, useEffect, useState } from 'preact/hooks'
import { ask } from '#web/common/api'
import { Button, Dialog, EmptyState, List, Notice, Skeleton, showToast } from '#web/ui/components'
import { MadeKey, MakeKey } from './makeKey'
import type { ApiKey } from './session'
import { useSpeaker } from './speaking'
import type { Speaker } from './texts'

/** What is said of a key, below its name. */
function notesOf({ say, day }: Speaker, key: ApiKey): string[] {
  const date = (moment: string) => ({ day: day(moment.slice(0, 10)) })
  return [
    `${key.prefix}…`,
    say('account.created', date(key.createdAt)),
    ...(key.expiresAt ? [say('account.until', date(key.expiresAt))] : []),
    key.lastUsedAt ? say('account.lastUsed', date(key.lastUsedAt)) : say('account.neverUsed'),
  ]
}

/** The keys of the person: one that was just made, the form for another, and the list. */
export function Keys({ csrfToken }: { csrfToken: string }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [made, setMade] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [chosen, choose] = useState<ApiKey>()

  const load = useCallback(async () => {
    const answer = await ask<{ apiKeys: readonly ApiKey[] }>(speaker, 'GET', '/users/me/api-keys')
    if (answer.isDone) setKeys(answer.body.apiKeys)
    else setFault(answer.message)
  }, [speaker])
  useEffect(() => void load(), [load])

  return (
    <>
      {made && <MadeKey value={made} />}
      <MakeKey
        csrfToken={csrfToken}
        onMade={(key) => {
          setMade(key)
          return load()
        }}
      />
      <section class="card">
        <h2>{say('account.keysTitle')}</h2>
        {fault && <Notice kind="fault" title={fault} isLive />}
        {!keys && !fault && <Skeleton />}
        {keys?.length === 0 && <EmptyState icon="key" title={say('account.none')} note={say('account.noneNote')} />}
        {keys && keys.length > 0 && (
          <List
            label={say('account.keysTitle')}
            items={keys}
            keyOf={({ _id }) => _id}
            titleOf={({ name }) => name}
            notesOf={(key) => notesOf(speaker, key)}
            actionOf={(key) => (
              <Button label={say('account.deleteKey', { name: key.name })} onPress={() => choose(key)}>
                {say('account.delete')}
              </Button>
            )}
          />
        )}
      </section>
      {chosen && (
        <DeleteKey
          apiKey={chosen}
          csrfToken={csrfToken}
          onClose={() => choose(undefined)}
          onDeleted={() => {
            choose(undefined)
            showToast(say('account.deleted', { name: chosen.name }))
            return load()
          }}
        />
      )}
    </>
  )
}

type Deletion = { apiKey: ApiKey; csrfToken: string; onClose: () => void; onDeleted: () => void }

/** Asks before a key is deleted, since programs may use it. */
function DeleteKey({ apiKey: { _id, name }, csrfToken, onClose, onDeleted }: Deletion) {
  const speaker = useSpeaker()
  const { say } = speaker
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const remove = async () => {
    setBusy(true)
    const answer = await ask(speaker, 'DELETE', `/users/me/api-keys/${_id}`, { csrfToken })
    setBusy(false)
    if (answer.isDone) onDeleted()
    else setFault(answer.message)
  }
  return (
    <Dialog
      title={say('account.deleteTitle', { name })}
      action={{ label: say('account.delete'), kind: 'danger', isBusy, onPress: remove }}
      onClose={onClose}
    >
      <p>{say('account.deleteNote')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
    </Dialog>
  )
}
