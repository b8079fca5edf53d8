import type { FunctionComponent } from 'preact'
import type { Settings } from '#web/form/stage'
import type { WidgetProps } from '#web/form/widget'
import { BmiWidget, CalculationWidget } from './calculated'
import { ChoiceWidget } from './choice'
import { DateWidget, MomentWidget, TimeWidget } from './dates'
import { FileWidget } from './file'
import { NumberWidget } from './number'
import { LikertWidget, RatingWidget, SliderWidget } from './scales'
import { TableWidget } from './table'
import { TextWidget } from './text'

/** The widget of each format. */
const byFormat: Record<Settings['format'], FunctionComponent<WidgetProps>> = {
  text: TextWidget,
  paragraph: TextWidget,
  integer: NumberWidget,
  float: NumberWidget,
  measurements: NumberWidget,
  slider: SliderWidget,
  rating: RatingWidget,
  date: DateWidget,
  datetime: MomentWidget,
  time: TimeWidget,
  choice: ChoiceWidget,
  likert: LikertWidget,
  table: (props) => <TableWidget {...props} cell={Widget} />,
  bmi: BmiWidget,
  file: FileWidget,
  image: FileWidget,
  video: FileWidget,
  calculation: CalculationWidget,
}

export function Widget(props: WidgetProps) {
  const Own = byFormat[props.settings.format]
  return <Own {...props} />
}
