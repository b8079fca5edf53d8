import { accountTexts } from '#texts/accounts/es'
import { blindingTexts } from '#texts/blinding/es'
import { consentTexts } from '#texts/consents/es'
import { deletionTexts } from '#texts/deletions/es'
import { masterFileTexts } from '#texts/masterFile/es'
import { siteTexts } from '#texts/sites/es'
import type { Catalogue } from './en'

export const es: Catalogue = {
  'signInLink.body':
    'Su enlace personal para {trial}: {url}\nSirve una sola vez, hasta el {date}. Por favor, no lo comparta.',
  'verificationCode.body': '{code} es su clave para {trial}. Caduca en {minutes} minutos. Por favor, no la comparta.',
  'behindSchedule.body.one': 'Por favor, complete este formulario pendiente: {forms}.',
  'behindSchedule.body.other': 'Por favor, complete estos formularios pendientes: {forms}.',
  'attachments.one': 'Este mensaje incluye un archivo: {url}',
  'attachments.other': 'Este mensaje incluye {count} archivos: {url}',
  'incentive.body': 'Ha recibido {amount} ({brand}) de {trial}. El código está en la aplicación del estudio.',
  'appointment.invitation.body': 'Le invitamos a la videollamada «{title}» el {when}.',
  'appointment.reminder.body': 'Recordatorio: «{title}» es el {when}.',
  'appointment.moved.body': '«{title}» ha cambiado de fecha. Ahora es el {when}.',
  'appointment.cancelled.body': '«{title}» del {when} se ha cancelado.',
  'appointment.join': ' Participar: {url}',
  'wearable.connect.body': 'Por favor, conecte su cuenta de {service} para {trial}: {url}',
  'wearable.reconnect.body': 'Ya no llegan datos de {service}. Por favor, conecte su cuenta de nuevo: {url}',

  'welcome.body':
    'Le damos la bienvenida a {trial}. Aquí puede escribir al equipo del estudio, y aquí encontrará lo que el equipo y el estudio le envíen. ' +
    'Es posible que el equipo no lea su mensaje de inmediato: en caso de urgencia, llame a los servicios de emergencia.',
  'calendar.openUntil': 'Abierto hasta el {when}.',

  quoted: '«{name}»',
  erased: 'Borrado.',
  'more.one': '{count} más',
  'more.other': '{count} más',

  'taskAssigned.subject': '{trial}: una tarea para usted',
  'taskAssigned.body': '{user} le ha asignado una tarea.\n\nEstudio: {trial}\nTarea: {task}\n',
  'taskAssigned.due': 'Fecha límite: {due} UTC\n',
  'fileAssigned.subject': '{trial}: un archivo para usted',
  'fileAssigned.body':
    '{user} le ha asignado un archivo del archivo maestro del ensayo (TMF).\n\nEstudio: {trial}\nArchivo: {file}\n',
  'fileApproval.subject': '{trial}: revise «{file}»',
  'fileApproval.body':
    '{user} le pide que apruebe o rechace un documento.\n\nEstudio: {trial}\nArchivo: {file}, versión {number}\n\n{message}Ábralo aquí hasta el {when} UTC: {url}\n\n' +
    'El enlace es solo para usted.\n',
  'fileReviewed.subject': '{trial}: «{file}» fue revisado',
  'fileReviewed.approved':
    'Todos los aprobadores han aprobado el documento.\n\nEstudio: {trial}\nArchivo: {file}, versión {number}\n',
  'fileReviewed.rejected':
    '{approver} ha rechazado el documento.\n\nEstudio: {trial}\nArchivo: {file}, versión {number}\nComentario: {comment}\n',
  'submission.subject': '{trial}: «{form}», participante {participant}',
  'submission.attention': 'Hay respuestas que requieren su atención.',
  'submission.about': '\n\nEstudio: {trial}\nParticipante: {participant}\nFormulario: {form}\n',
  'queryAssigned.subject.one': '{trial}: una consulta (query) para usted',
  'queryAssigned.subject.other': '{trial}: {count} consultas (queries) para usted',
  'queryMessage.subject': '{trial}: un mensaje nuevo en una consulta (query)',
  'query.study': 'Estudio: {trial}\n',
  'query.form': 'Participante {participant}, formulario «{form}»\n',
  'query.unallocated': 'Respuesta aún sin asignar, formulario «{form}»\n',
  'incentivesWait.subject': '{trial}: hay pagos a participantes en espera',
  'incentivesWait.body':
    'Hay pagos por un formulario completado en espera, porque la cartera o los códigos se han agotado. Se harán en cuanto haya más.\n\nEstudio: {trial}\nMarca: {brand}\nImporte: {amount}\n',
  'giftCardRefused.subject': '{trial}: la pasarela rechazó una tarjeta regalo',
  'giftCardRefused.body':
    'La pasarela rechazó una tarjeta regalo para un participante. El importe ha vuelto a la cartera, y el participante no recibió nada. Corrija el motivo indicado y entregue la tarjeta de nuevo. Este aviso se envía una vez al día por marca: la lista de incentivos contiene todos los que fallaron.\n\nEstudio: {trial}\nMarca: {brand}\nImporte: {amount}\n{reason}\n',
  'newMessage.subject': '{trial}: un mensaje del participante {participant}',
  'newMessage.body': 'Estudio: {trial}\nParticipante: {participant}\n',
  'heldEntries.subject.one': '{trial}: una respuesta espera una decisión',
  'heldEntries.subject.other': '{trial}: {count} respuestas esperan una decisión',
  'heldEntries.body':
    'El estudio no pudo aceptarlas tal como llegaron, por ejemplo porque el formulario ya estaba cerrado. Esperan a que el equipo las introduzca o las rechace.\n\nEstudio: {trial}\nParticipantes: {participants}\n',
  ...blindingTexts,
  'siteMessages.subject.one': '{trial}: mensajes nuevos en el tablón de {sites}',
  'siteMessages.subject.other': '{trial}: mensajes nuevos en los tablones de {count} centros',
  'siteMessages.body': 'Estudio: {trial}\nCentros: {sites}\n',

  'webhookDisabled.subject': '{trial}: el webhook «{webhook}» está desactivado',
  'webhookDisabled.failing':
    'Estudio: {trial}\n\nDurante cinco días no se pudo entregar nada al webhook «{webhook}». Por eso está desactivado: su destinatario ya no recibe avisos de los eventos. El registro de entregas indica el motivo. Cuando el destinatario vuelva a funcionar, active el webhook y haga que envíe lo que faltó.\n',
  'webhookDisabled.gone':
    'Estudio: {trial}\n\nEl destinatario del webhook «{webhook}» respondió que ya no existe (410). Por eso el webhook está desactivado: el destinatario ya no recibe avisos de los eventos. Si fue un error, active de nuevo el webhook.\n',
  'appointment.staff.invitation.subject': '{trial}: una videollamada con un participante',
  'appointment.staff.reminder.subject': '{trial}: recordatorio de una cita',
  'appointment.staff.moved.subject': '{trial}: una cita ha cambiado de fecha',
  'appointment.staff.cancelled.subject': '{trial}: se ha cancelado una cita',
  'appointment.staff.body': 'Estudio: {trial}\nParticipante: {participant}\nCita: {title}\nHora: {when}\n',
  'appointment.staff.join': 'Participar: {url}\n',
  'calendar.closes': '{name} se cierra',
  'calendar.more.meeting': 'Más videollamadas: véase el calendario del estudio',
  'calendar.more.event': 'Más citas: véase el calendario del estudio',
  'calendar.more.task': 'Más tareas: véase el calendario del estudio',
  'calendar.more.window': 'Más plazos: véase el calendario del estudio',
  'calendar.more.visit': 'Más visitas: véase el calendario del estudio',

  'automaticQuery.unit':
    '«{name}» es {value}. Puede que se haya introducido {slip}. Por favor, compruebe el valor en los datos fuente.',
  'automaticQuery.participantRange':
    '«{name}» es {value}, muy lejos de los valores anteriores de este participante. Por favor, compruebe el valor en los datos fuente.',
  'automaticQuery.trialRange':
    '«{name}» es {value}, muy lejos de lo habitual en este estudio. Por favor, compruebe el valor en los datos fuente.',
  'automaticQuery.higher':
    '«{name}» es mayor que «{other}». Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.denied':
    '«{name}» se respondió con no, pero «{other}» indica lo contrario. Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.changed':
    '«{name}» se respondió antes de otra manera. Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.before':
    '«{name}» es anterior a «{other}». Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.beforeBirth':
    '«{name}» es anterior al nacimiento. Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.afterDeath':
    '«{name}» es posterior al fallecimiento. Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.beforeEarlier':
    '«{name}» es anterior a la respuesta de una repetición previa ({occurrence}). Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.afterLater':
    '«{name}» es posterior a la respuesta de una repetición posterior ({occurrence}). Por favor, compruebe ambas respuestas en los datos fuente.',
  'automaticQuery.constraint': '{constraint} Por favor, compruebe la respuesta en los datos fuente.',
  'automaticQuery.rule':
    '«{name}»: la respuesta no cumple la regla {rule}. Por favor, compruebe la respuesta en los datos fuente.',
  'automaticQuery.instruction':
    '{names}: las respuestas contradicen la regla «{rule}» de este estudio. Por favor, compruébelas en los datos fuente.',
  'automaticQuery.height': '{name} (estatura)',
  'automaticQuery.weight': '{name} (peso)',
  'automaticQuery.slip.pounds': 'en libras en lugar de kilogramos',
  'automaticQuery.slip.kilograms': 'en kilogramos en lugar de libras',
  'automaticQuery.slip.inches': 'en pulgadas en lugar de centímetros',
  'automaticQuery.slip.centimetres': 'en centímetros en lugar de pulgadas',
  'automaticQuery.slip.fahrenheit': 'en °F en lugar de °C',
  'automaticQuery.slip.celsius': 'en °C en lugar de °F',
  'automaticQuery.slip.milligrams': 'en mg/dL en lugar de mmol/L',
  'automaticQuery.slip.millimoles': 'en mmol/L en lugar de mg/dL',
  'automaticQuery.slip.tenLarge': 'con un valor diez veces mayor',
  'automaticQuery.slip.tenSmall': 'con un valor diez veces menor',
  'automaticQuery.slip.hundredLarge': 'con un valor cien veces mayor',
  'automaticQuery.slip.hundredSmall': 'con un valor cien veces menor',
  'automaticQuery.slip.thousandLarge': 'con un valor mil veces mayor',
  'automaticQuery.slip.thousandSmall': 'con un valor mil veces menor',

  ...consentTexts,
  ...siteTexts,
  ...masterFileTexts,
  'report.title': 'Los datos que conservamos sobre usted',
  'report.intro':
    'Esto es todo lo que el estudio «{trial}» conserva sobre el participante {participant}, a fecha de {date}. El archivo report.json contiene lo mismo en un formato legible por ordenador.',
  'report.unprintable':
    'Algunos caracteres no se pueden imprimir y aparecen como □. Están en los archivos report.html y report.json.',
  'report.erased': 'La información personal se borró el {date}. Los datos del estudio se conservan.',
  'report.person': 'Datos personales',
  'report.field.id': 'ID de participante',
  'report.field.createdAt': 'Registro',
  'report.field.name': 'Nombre',
  'report.field.dob': 'Fecha de nacimiento',
  'report.field.email': 'Correo electrónico',
  'report.field.phone': 'Teléfono',
  'report.field.whatsapp': 'Número de WhatsApp',
  'report.field.sites': 'Centros',
  'report.field.groups': 'Grupos',
  'report.answers': 'Respuestas',
  'report.deletedForm': 'Eliminado: {form}',
  'report.status': 'Resultado: {status}',
  'report.score': 'Puntuación: {score}',
  'report.changes': 'Versiones anteriores y cambios',
  'report.files': 'Archivos enviados',
  'report.records': 'Otros registros',
  'report.records.messages': 'Mensajes',
  'report.records.notes': 'Notas',
  'report.records.foodDiary': 'Diario de alimentos',
  'report.records.appointments': 'Citas y videollamadas',
  'report.records.queries': 'Consultas del equipo (queries)',
  'report.records.signatures': 'Firmas y verificaciones',
  'report.records.tasks': 'Tareas del equipo',
  'report.records.drafts': 'Borradores',
  'report.records.memberships': 'Centros y grupos',
  'report.records.schedule': 'Calendario',
  'report.records.reminders': 'Recordatorios y notificaciones',
  'report.records.access': 'Accesos y enlaces',
  'report.records.others': 'Registros técnicos',
  'report.log': 'Qué se hizo, cuándo y por quién',

  'packLog.title': 'Contabilidad de los envases',
  'packLog.place.site': 'Centro {site}',
  'packLog.concealed': 'Tipo oculto',
  'packLog.place.trial': 'Nivel del ensayo',
  'packLog.balanced': 'Se ha dado cuenta de todos los envases.',
  'packLog.unbalanced': 'Las cuentas no cuadran: faltan {count} envases.',
  'packLog.received': 'recibidos',
  'packLog.movedIn': 'entrados',
  'packLog.movedOut': 'salidos',
  'packLog.inStock': 'en existencias',
  'packLog.quarantined': 'en cuarentena',
  'packLog.dispensed': 'dispensados',
  'packLog.returned': 'devueltos',
  'packLog.lost': 'perdidos',
  'packLog.damaged': 'dañados',
  'packLog.destroyed': 'destruidos',
  'packLog.moved': 'trasladado',
  'packLog.unitsReturned': 'unidades devueltas',
  'packLog.column.pack': 'Envase',
  'packLog.column.batch': 'Lote',
  'packLog.column.expires': 'Caducidad',
  'packLog.column.received': 'Recepción',
  'packLog.column.participant': 'Participante',
  'packLog.column.dispensed': 'Dispensación',
  'packLog.column.returned': 'Devolución',
  'packLog.column.end': 'Estado',
  'packLog.otherArm': 'no es de este brazo',
  'packLog.signature': 'Comprobado por (nombre, fecha, firma):',
  'packLog.unprintable': 'Algunos caracteres no se pueden imprimir y se muestran como □. El csv los contiene.',

  ...deletionTexts,
  ...accountTexts,
}
