import { Button } from '#web/kit/ui/components'
import { useTranslator } from './translator'
import type { Flow } from './useFlow'

type Props = {
  flow: Pick<Flow, 'back'>
  label?: string
  isBusy?: boolean
  /** Something else comes first on this page. */
  isQuiet?: boolean
}

/** The buttons below a step. The form around them goes on. */
export function StepActions({ flow: { back }, label, isBusy, isQuiet }: Props) {
  const { t } = useTranslator()
  return (
    <div class="actions step-actions">
      {back && <Button onPress={back}>{t('consent.back')}</Button>}
      <Button kind={isQuiet ? 'quiet' : 'main'} type="submit" isBusy={isBusy ?? false}>
        {label ?? t('consent.next')}
      </Button>
    </div>
  )
}
