/** In person, after the signature: the copy for the participant, and the way back of the device. */
import { Button, Notice } from '#web/ui/components'
import { LinkPage } from '../frame'
import { NextForm, SignInCode, StudyTexts } from './done'
import { here, type Receipt, type Session } from './server'
import { useSpeaker } from './speaking'

type Props = {
  session: Session
  receipt: Receipt
  /** @param to a page that is opened next */
  onEnd: (to?: string) => void
}

export function HandBack({ session: { sheet, participantId }, receipt, onEnd }: Props) {
  const { say, day } = useSpeaker()
  const { url, createdAt, postConsentText, postSubmissionText, postConsentStage, signInCode } = receipt
  return (
    <LinkPage
      title={say('consent.done')}
      over={participantId ? say('consent.for', { id: participantId }) : undefined}
      isNext
    >
      <p class="lead">{say('consent.doneNote', { day: day(createdAt.slice(0, 10)) })}</p>
      <StudyTexts texts={[postConsentText, postSubmissionText]} />
      <section class="card">
        <h2>{say('consent.copyForYou')}</h2>
        <p>{say('consent.copyForYouNote')}</p>
        <a class="button quiet" href={here(url)} target="_blank" rel="noopener noreferrer">
          <span>{say('consent.openDocument')}</span>
        </a>
      </section>
      <SignInCode code={signInCode} />
      {sheet.requiresCountersignature && (
        <Notice kind="info" title={say('consent.countersign')}>
          {say('consent.countersignNote')}
        </Notice>
      )}
      <NextForm stage={postConsentStage} onOpen={(address) => onEnd(address)} />
      <div class="actions">
        <Button kind={postConsentStage?.url ? 'quiet' : 'main'} onPress={() => onEnd()}>
          {say('consent.handBack')}
        </Button>
      </div>
      <p class="note">{say('consent.handBackSoon')}</p>
    </LinkPage>
  )
}
