/** Pages that are loaded when the person first comes to them. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, EmptyState, Skeleton } from '#web/kit/ui/components'
import { useTranslator } from '#web/participant/texts'

type PageModule<P> = { Page: ComponentType<P> }

/** Returns a component that loads another one, and says so if that does not succeed. */
export function lazyPage<P extends object>(load: () => Promise<PageModule<P>>): (props: P) => preact.JSX.Element {
  let known: ComponentType<P> | undefined
  return function LazyPage(props: P) {
    const { t } = useTranslator()
    // The component itself is not the state: as a function, it would be called.
    const [, setLoaded] = useState(false)
    const [isLost, setLost] = useState(false)
    const [attempt, tryAgain] = useState(0)
    useEffect(() => {
      if (known) return
      setLost(false)
      load().then(
        ({ Page }) => {
          known = Page
          setLoaded(true)
        },
        () => setLost(true),
      )
    }, [attempt])
    if (known) {
      const Known = known
      return <Known {...props} />
    }
    if (!isLost) return <Skeleton lines={5} />
    return (
      <EmptyState icon="warning" title={t('form.notLoaded')} note={t('form.notLoadedNote')}>
        <Button onPress={() => (attempt > 1 ? location.reload() : tryAgain(attempt + 1))}>{t('site.again')}</Button>
      </EmptyState>
    )
  }
}
