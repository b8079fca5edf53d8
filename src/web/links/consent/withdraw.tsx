/** The page on which somebody withdraws their consent: `/app/consent/<trialCode>/<formKey>/withdraw`. Nothing is kept on the device. */
import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '#web/kit/api/send'
import { Skeleton } from '#web/kit/ui/components'
import { EndPage, LinkPage } from '../frame'
import { type Method, readSheet, type Sheet, type Withdrawals } from './requests'
import { useTranslator } from './translator'
import { WithdrawChoice } from './withdrawChoice'
import { WithdrawProof } from './withdrawProof'

/** If the study does not show the form any more, a person may have used any of them. */
const ALL: readonly Method[] = ['email', 'phone', 'whatsapp']

type Form = Pick<Sheet, 'verificationMethods' | 'readOutMethods'> & { trialName?: string }
type Proof = { path: string } & Withdrawals

export function Withdraw() {
  const translator = useTranslator()
  const { t } = translator
  const [form, setForm] = useState<Form | 'gone'>()
  const [proof, setProof] = useState<Proof>()
  const [end, setEnd] = useState<'done' | 'ended'>()
  useEffect(() => {
    void readSheet(translator).then((answer: Answer<Sheet>) => {
      if (answer.isDone) return setForm(answer.body)
      const isGone = answer.status === 404 && answer.isRefusal
      return setForm(isGone ? 'gone' : { verificationMethods: ALL, readOutMethods: [] })
    })
  }, [])

  if (form === 'gone') return <EndPage icon="warning" title={t('consent.gone')} note={t('consent.goneNote')} />
  const overline = form?.trialName && t('link.study', { study: form.trialName })
  if (end === 'done') {
    return <EndPage icon="success" title={t('withdraw.done')} note={t('withdraw.doneNote')} overline={overline} />
  }
  if (end === 'ended') return <EndPage icon="warning" title={t('withdraw.ended')} note={t('withdraw.endedNote')} />
  if (proof && !proof.consents.length) {
    return <EndPage icon="inbox" title={t('withdraw.none')} note={t('withdraw.noneNote')} overline={overline} />
  }
  const shared = { onEnded: () => setEnd('ended') }
  return (
    <LinkPage title={t('withdraw.title')} overline={overline}>
      <p class="lead">{t('withdraw.lead')}</p>
      {!form ? (
        <Skeleton lines={4} />
      ) : proof ? (
        <WithdrawChoice {...proof} {...shared} onDone={() => setEnd('done')} />
      ) : (
        <WithdrawProof {...form} {...shared} onProven={setProof} />
      )}
    </LinkPage>
  )
}
