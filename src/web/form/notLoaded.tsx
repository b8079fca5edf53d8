import { Button, EmptyState } from '#web/kit/ui/components'
import { useFormTranslator } from './translator'

/** In place of a form whose engine is not on the device, without a connection. */
export function NotLoaded() {
  const { t } = useFormTranslator()
  return (
    <EmptyState icon="warning" title={t('form.notLoaded')} note={t('form.notLoadedNote')}>
      <Button onPress={() => location.reload()}>{t('site.again')}</Button>
    </EmptyState>
  )
}
