import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useShellTranslator } from '#web/console/lang/texts'
import { Boundary, Button, EmptyState, Skeleton } from '#web/kit/ui/components'
import type { AreaProps } from './areaProps'
import type { Area } from './areas'

const known = new Map<Area, ComponentType<AreaProps>>()

/** Shows an area, which is loaded when somebody first comes to it. */
export function AreaView({ area, params }: { area: Area } & AreaProps) {
  const { t } = useShellTranslator()
  const [, setLoaded] = useState(0)
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (known.has(area)) return
    setLost(false)
    area.load().then(
      ({ Page }) => {
        known.set(area, Page)
        setLoaded((before) => before + 1)
      },
      () => setLost(true),
    )
  }, [area])
  const Page = known.get(area)
  if (isLost) {
    return (
      <EmptyState icon="warning" title={t('console.areaFailed')} note={t('console.areaFailedNote')}>
        <Button onPress={() => location.reload()}>{t('site.reload')}</Button>
      </EmptyState>
    )
  }
  if (!Page) return <Skeleton lines={6} />
  return (
    <Boundary>
      <area.texts.Texts>
        <Page params={params} />
      </area.texts.Texts>
    </Boundary>
  )
}
