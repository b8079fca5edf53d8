/** In person, after the signature: the copy for the participant, and the way back of the device. */

import { localPath } from '#web/kit/api/localPath'
import { Button, Notice } from '#web/kit/ui/components'
import { LinkPage } from '../frame'
import { NextForm, SignInCode, StudyTexts } from './done'
import type { Receipt, Session } from './requests'
import { useTranslator } from './translator'

type Props = {
  session: Session
  receipt: Receipt
  /** @param to a page that is opened next */
  onEnd: (to?: string) => void
}

export function HandBack({ session: { sheet, participantId }, receipt, onEnd }: Props) {
  const { t, day } = useTranslator()
  const { url, createdAt, postConsentText, postSubmissionText, postConsentStage, signInCode } = receipt
  return (
    <LinkPage
      title={t('consent.done')}
      overline={participantId ? t('consent.for', { id: participantId }) : undefined}
      isNext
    >
      <p class="lead">{t('consent.doneNote', { day: day(createdAt.slice(0, 10)) })}</p>
      <StudyTexts texts={[postConsentText, postSubmissionText]} />
      <section class="card">
        <h2>{t('consent.copyForYou')}</h2>
        <p>{t('consent.copyForYouNote')}</p>
        <a class="button quiet" href={localPath(url)} target="_blank" rel="noopener noreferrer">
          <span>{t('consent.openDocument')}</span>
        </a>
      </section>
      <SignInCode code={signInCode} />
      {sheet.requiresCountersignature && (
        <Notice kind="info" title={t('consent.countersign')}>
          {t('consent.countersignNote')}
        </Notice>
      )}
      <NextForm stage={postConsentStage} onOpen={(address) => onEnd(address)} />
      <div class="actions">
        <Button kind={postConsentStage?.url ? 'quiet' : 'main'} onPress={() => onEnd()}>
          {t('consent.handBack')}
        </Button>
      </div>
      <p class="note">{t('consent.handBackSoon')}</p>
    </LinkPage>
  )
}
