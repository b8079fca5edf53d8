import { useCallback, useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { Button, Dialog, EmptyState, List, Notice, Skeleton, showToast } from '#web/kit/ui/components'
import { MakeKey, NewKey } from './makeKey'
import { type ApiKey, type KeyTrial, useSession } from './session'
import type { Translator } from './texts'
import { useTranslator } from './translator'

/** What a key may do less than the person. */
function limitsOf({ t }: Translator, { isReadOnly, trials }: ApiKey, known: readonly KeyTrial[]): string[] {
  const names = known.filter(({ _id }) => trials?.includes(_id)).map(({ name }) => name)
  const studies = names.length ? t('account.onlyStudies', { names: names.join(', ') }) : t('account.lostStudies')
  return [...(isReadOnly ? [t('account.onlyReads')] : []), ...(trials === null ? [] : [studies])]
}

/** What is said of a key, below its name. */
function notesOf(translator: Translator, key: ApiKey, known: readonly KeyTrial[]): string[] {
  const { t, day } = translator
  const date = (moment: string) => ({ day: day(moment.slice(0, 10)) })
  return [
    // From left to right also where the page is not.
    `\u2066${key.prefix}…\u2069`,
    ...limitsOf(translator, key, known),
    t('account.created', date(key.createdAt)),
    ...(key.expiresAt ? [t('account.until', date(key.expiresAt))] : []),
    ...(key.suspendedAt ? [t('account.suspended')] : []),
    key.lastUsedAt ? t('account.lastUsed', date(key.lastUsedAt)) : t('account.neverUsed'),
  ]
}

/** The keys of the person: one that was just made, the form for another, and the list. */
export function Page() {
  const translator = useTranslator()
  const { t } = translator
  const { send } = useSession()
  const [keys, setKeys] = useState<readonly ApiKey[]>()
  const [trials, setTrials] = useState<readonly KeyTrial[]>([])
  const [made, setMade] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [chosen, setChosen] = useState<ApiKey>()

  const load = useCallback(async () => {
    const answer = await send<AnswerOf<'listApiKeys'>>('GET', '/users/me/api-keys')
    if (!answer.isDone) return setFault(answer.message)
    setKeys(answer.body.apiKeys)
    setTrials(answer.body.trials)
  }, [send])
  useEffect(() => void load(), [load])
  const confirm = async ({ _id, name }: ApiKey) => {
    const answer = await send('POST', `/users/me/api-keys/${_id}/confirmation`)
    if (!answer.isDone) return setFault(answer.message)
    showToast(t('account.keyConfirmed', { name }))
    return load()
  }

  return (
    <>
      {made && <NewKey value={made} />}
      <MakeKey
        trials={trials}
        onMade={(key) => {
          setMade(key)
          return load()
        }}
      />
      <section class="card">
        <h2>{t('account.keysTitle')}</h2>
        {fault && <Notice kind="fault" title={fault} isLive />}
        {!keys && !fault && <Skeleton />}
        {keys?.length === 0 && <EmptyState icon="key" title={t('account.none')} note={t('account.noneNote')} />}
        {keys && keys.length > 0 && (
          <List
            label={t('account.keysTitle')}
            items={keys}
            keyOf={({ _id }) => _id}
            titleOf={({ name }) => name}
            notesOf={(key) => notesOf(translator, key, trials)}
            actionOf={(key) => (
              <>
                {key.suspendedAt && (
                  <Button label={t('account.confirmNamedKey', { name: key.name })} onPress={() => confirm(key)}>
                    {t('account.confirmKey')}
                  </Button>
                )}
                <Button label={t('account.deleteKey', { name: key.name })} onPress={() => setChosen(key)}>
                  {t('account.delete')}
                </Button>
              </>
            )}
          />
        )}
      </section>
      {chosen && (
        <DeleteKey
          apiKey={chosen}
          onClose={() => setChosen(undefined)}
          onDeleted={() => {
            setChosen(undefined)
            showToast(t('account.deleted', { name: chosen.name }))
            return load()
          }}
        />
      )}
    </>
  )
}

type DeletionProps = { apiKey: ApiKey; onClose: () => void; onDeleted: () => void }

/** Asks before a key is deleted, since programs may use it. */
function DeleteKey({ apiKey: { _id, name }, onClose, onDeleted }: DeletionProps) {
  const { t } = useTranslator()
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
      title={t('account.deleteTitle', { name })}
      action={{ label: t('account.delete'), kind: 'danger', isBusy, onPress: remove }}
      onClose={onClose}
    >
      <p>{t('account.deleteNote')}</p>
      {fault && <Notice kind="fault" title={fault} isLive />}
    </Dialog>
  )
}
