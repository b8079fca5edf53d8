/** What the study gives the person for taking part: gift cards and their codes. */

import { useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { localeOf } from '#web/kit/language/languages'
import { Button, EmptyState, Notice, showToast } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { useTranslator } from '#web/participant/texts'
import type { Reward, RewardCode } from './apiTypes'
import { CopyContent, Page as Frame, RefreshButton } from './page'
import { useClock } from './study'

const PATH = '/participants/incentives'
type Rewards = AnswerOf<'listOwnIncentives'>

export function Page() {
  const { t } = useTranslator()
  const copy = useCopy<Rewards>(PATH)
  return (
    <Frame
      title={t('app.rewards')}
      action={<RefreshButton isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}
    >
      <CopyContent copy={copy}>{(first) => <List first={first} />}</CopyContent>
    </Frame>
  )
}

function List({ first }: { first: Rewards }) {
  const { t } = useTranslator()
  const [more, setMore] = useState<Rewards>()
  const all = [...first.incentives, ...(more?.incentives ?? [])]
  const next = more ? more.next : first.next
  const readMore = async () => {
    const answer = await askAs<Rewards>('GET', `${PATH}?after=${next}`)
    if (answer.isDone) setMore({ ...answer.body, incentives: [...(more?.incentives ?? []), ...answer.body.incentives] })
  }
  if (!all.length)
    return (
      <div class="card">
        <EmptyState icon="inbox" title={t('rewards.none')} note={t('rewards.noneNote')} />
      </div>
    )
  return (
    <>
      {all.map((each) => (
        <RewardCard key={each._id} reward={each} />
      ))}
      {next && (
        <button type="button" class="plain" onClick={() => void readMore()}>
          {t('app.showMore')}
        </button>
      )}
    </>
  )
}

function RewardCard({ reward }: { reward: Reward }) {
  const { t, day, language } = useTranslator()
  const clock = useClock()
  const [code, setCode] = useState<RewardCode>()
  const [fault, setFault] = useState<string>()
  const { _id, brandName, amount, currency, isReady, createdAt, expiresOn } = reward
  const money = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }).format(amount)
  const reveal = async () => {
    const answer = await askAs<RewardCode>('POST', `${PATH}/${_id}/code`, {})
    if (answer.isDone) setCode(answer.body)
    setFault(answer.isDone ? undefined : refusalText(answer))
  }
  const copyCode = async (text: string) => {
    await navigator.clipboard.writeText(text)
    showToast(t('rewards.copied'))
  }
  return (
    <section class="card reward">
      <h2>
        <bdi>{brandName}</bdi> <span class="money">{money}</span>
      </h2>
      <p class="note">
        {t('rewards.since', { time: clock.shortDay(createdAt) })}
        {expiresOn && ` · ${t('rewards.until', { time: day(expiresOn) })}`}
      </p>
      {!isReady && <p>{t('rewards.pending')}</p>}
      {code && (
        <Notice kind="success" title={t('rewards.code')} isLive>
          {code.code && (
            <p>
              <code class="secret">{code.code}</code>
            </p>
          )}
          {code.pin && (
            <p>
              PIN: <code>{code.pin}</code>
            </p>
          )}
          {code.url && /^https:\/\//i.test(code.url) && (
            <p>
              <a href={code.url} target="_blank" rel="noreferrer noopener">
                {t('rewards.redeem')}
              </a>
            </p>
          )}
        </Notice>
      )}
      {fault && <Notice kind="fault" title={fault} isLive />}
      {isReady && (
        <div class="actions start">
          {code?.code ? (
            <Button onPress={() => void copyCode(code.code)}>{t('rewards.copy')}</Button>
          ) : (
            !code && (
              <Button kind="main" onPress={() => void reveal()}>
                {t('rewards.show')}
              </Button>
            )
          )}
        </div>
      )}
    </section>
  )
}
