import { useCallback, useEffect, useState } from 'preact/hooks'
import { Button, Dialog, EmptyState, List, Notice, Skeleton, showToast } from '#web/ui/components'
import { MadeKey, MakeKey } from './makeKey'
import { type ApiKey, type KeyTrial, useSession } from './session'
import { useSpeaker } from './speaking'
import type { Speaker } from './texts'

/** What a key may do less than the person. */
function limitsOf({ say }: Speaker, { isReadOnly, trials }: ApiKey, known: readonly KeyTrial[]): string[] {
  const names = known.filter(({ _id }) => trials?.includes(_id)).map(({ name }) => name)
  const studies = names.length ? say('account.onlyStudies', { names: names.join(', ') }) : say('account.lostStudies')
  return [...(isReadOnly ? [say('account.onlyReads')] : []), ...(trials === null ? [] : [studies])]
}

/** What is said of a key, below its name. */
function notesOf(speaker: Speaker, key: ApiKey, known: readonly KeyTrial[]): string[] {
  const { say, day } = speaker
  const date = (moment: string) => ({ day: day(moment.slice(0, 10)) })
  return [
    // From left to right also where the page is not.
    `\u2066${key.prefix}…\u2069`,
    ...limitsOf(speaker, key, known),
    say('account.created', date(key.createdAt)),
    ...(key.expiresAt ? [say('account.until', date(key.expiresAt))] : []),
    ...(key.suspendedAt ? [say('account.suspended')] : []),
    key.lastUsedAt ? say('account.lastUsed', date(key.lastUsedAt)) : say('account.neverUsed'),
  ]
}

/** The keys of the person: one that was just made, the form for another, and the list. */
export function Page() {
  const speaker = useSpeaker()
  const { say } = speaker
  const { send } = useSession()
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [trials, setTrials] = useState<readonly KeyTrial[]>([])
  const [made, setMade] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [chosen, choose] = useState<ApiKey>()

  const load = useCallback(async () => {
    const answer = await send<{ apiKeys: readonly ApiKey[]; trials: readonly KeyTrial[] }>('GET', '/users/me/api-keys')
    if (!answer.isDone) return setFault(answer.message)
    setKeys(answer.body.apiKeys)
    setTrials(answer.body.trials)
  }, [send])
  useEffect(() => void load(), [load])
  const confirm = async ({ _id, name }: ApiKey) => {
    const answer = await send('POST', `/users/me/api-keys/${_id}/confirmation`)
    if (!answer.isDone) return setFault(answer.message)
    showToast(say('account.keyConfirmed', { name }))
    return load()
  }

  return (
    <>
      {made && <MadeKey value={made} />}
      <MakeKey
        trials={trials}
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
            notesOf={(key) => notesOf(speaker, key, trials)}
            actionOf={(key) => (
              <>
                {key.suspendedAt && (
                  <Button label={say('account.confirmNamedKey', { name: key.name })} onPress={() => confirm(key)}>
                    {say('account.confirmKey')}
                  </Button>
                )}
                <Button label={say('account.deleteKey', { name: key.name })} onPress={() => choose(key)}>
                  {say('account.delete')}
                </Button>
              </>
            )}
          />
        )}
      </section>
      {chosen && (
        <DeleteKey
          apiKey={chosen}
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

type Deletion = { apiKey: ApiKey; onClose: () => void; onDeleted: () => void }

/** Asks before a key is deleted, since programs may use it. */
function DeleteKey({ apiKey: { _id, name }, onClose, onDeleted }: Deletion) {
  const { say } = useSpeaker()
  const { send } = useSession()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const remove = async () => {
    setBusy(true)
    const answer = await send('DELETE', `/users/me/api-keys/${_id}`)
    setBusy(false)
    // One that was deleted meanwhile is gone, too.
    if (answer.isDone || answer.status === 404) onDeleted()
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
