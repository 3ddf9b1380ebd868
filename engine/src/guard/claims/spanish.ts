import { type ClaimLanguage, type ClaimWords, FILE_NAME, opening, without, words } from './claim-words.ts';

const ADV = '(?: (?:ya|ahora|tambien|por fin|correctamente|efectivamente|automaticamente|bien))*';
const PRONOUNS = '(?:(?:se|te|le|les|la|lo|las|los|os|me) )*';
const NOT = '(?<!no )(?<!no (?:se|te|le|la|lo|os) )(?<!no (?:les|las|los) )(?<!nunca )';
const I_HAVE = `${NOT}(?:ya )?${PRONOUNS}(?:he|hemos)`;
const IS = ' (?<!no )(?:ha sido|han sido|fue|fueron|esta|estan|queda|quedan|quedo|quedaron|ha quedado|han quedado)';
const WITHOUT_VERB = without('no|nunca|sera|seran|seria|puede|podra|va|debe|esta|es|fue|ha|han|ser|estar', 60);
const GREETINGS = 'ok|listo|hecho|perfecto|claro|de acuerdo|si|buenas noticias|confirmado|ya esta';

const object = (nouns: string) =>
  `(?: (?!(?:de|del|para|sobre|a|al|en|borrador|resumen|lista|propuesta|y)\\b)[\\w'-]+){0,3}? (?:${nouns})`;

/** Participles by their stems: `enviad` becomes `enviado`, `enviada` and so on; a whole word stays as it is. */
const forms = (stems: string) =>
  `(?:${stems
    .split('|')
    .map((stem) => (/d$/.test(stem) ? `${stem}[oa]s?` : stem))
    .join('|')})`;

function patterns({ nouns, strong, weak, places, past }: ClaimWords) {
  const verbs = forms(strong === '' ? weak : `${strong}|${weak}`);
  const place = `(?:en|a|al) (?:(?:tu|su|mi|nuestro|el|la|un|una|nuevo|archivo) )*(?:${places})`;
  const spoken = (verbForms: string, rest = '') =>
    words(`(?<!(?:que|si|no|nunca) )(?<!(?:que|si|no) (?:te|le|la|lo|se) )${PRONOUNS}(?:${verbForms})${rest}`);
  return [
    ...(strong === ''
      ? []
      : [
          { pattern: words(`${I_HAVE}${ADV} ${forms(strong)}`) },
          { pattern: words(`${NOT}se (?:ha|han)${ADV} ${forms(strong)}`) },
        ]),
    { pattern: words(`(?:${I_HAVE}|${NOT}se (?:ha|han))${ADV} ${forms(weak)}${object(nouns)}`) },
    ...(past === undefined
      ? []
      : [
          ...(past.strong === '' ? [] : [{ pattern: spoken(past.strong), hasAccents: true }]),
          { pattern: spoken(past.weak, object(nouns)), hasAccents: true },
        ]),
    { pattern: words(`(?:${nouns})(?![\\p{L}])(?:(?! no )[^;!?:]){0,80}?${IS}${ADV} ${verbs}`) },
    {
      pattern: words(`${NOT}(?:queda|quedo|quedan|ha quedado)${ADV} ${verbs} (?:la|el|tu|su|los|las) (?:${nouns})`),
      isShort: true,
    },
    ...(places === ''
      ? []
      : [
          { pattern: words(`[\\p{L}]+${IS}${ADV} ${verbs} [^;!?:]{0,60}?${place}`) },
          { pattern: words(`(?:${I_HAVE}|${NOT}se (?:ha|han))${ADV} ${verbs} [^;!?:]{0,80}?${place}`) },
          {
            pattern: words(`(?:${nouns})(?![\\p{L}])(?:(?! no )[^;!?:]){0,60}? (?:esta|figura|aparece)${ADV} ${place}`),
          },
        ]),
    { pattern: opening(GREETINGS, `(?:la |el |tu |su )?(?:${nouns})${WITHOUT_VERB} ${verbs}`), isShort: true },
    ...(strong === '' ? [] : [{ pattern: opening(GREETINGS, forms(strong)), isShort: true }]),
  ];
}

/** Claims in Spanish. */
export const SPANISH: ClaimLanguage = {
  language: 'es',
  patterns,
  words: {
    'meeting-scheduled': {
      nouns:
        'reunion|cita|llamada|evento|sesion|entrevista|almuerzo|cena|videollamada|invitacion|encuentro|reserva|hueco',
      strong: 'programad|agendad|planificad|calendarizad',
      weak: 'reservad|cread|anadid|agregad|organizad|concertad|fijad|puesto|puesta|confirmad|apuntad|registrad|convocad|bloquead|anotad|acordad|reprogramad|movid',
      places: 'calendario|agenda',
      others: 'recordatorios?|borrador(?:es)?|correos?|mensajes?|e-?mails?|tareas?|vuelos?|hotel(?:es)?',
      past: {
        strong: 'programé|agendé|planifiqué',
        weak: 'reservé|creé|añadí|agregué|organicé|concerté|fijé|puse|confirmé|apunté|registré|convoqué|anoté',
      },
    },
    'reminder-set': {
      nouns: 'recordatorio|recordatorios|alarma|aviso',
      strong: '',
      weak: 'cread|programad|configurad|anadid|agregad|puesto|establecid|fijad|guardad',
      places: '',
      others: 'borrador',
      past: { strong: '', weak: 'creé|programé|configuré|añadí|agregué|puse|establecí|fijé|guardé' },
    },
    'mail-sent': {
      nouns: 'correo(?: electronico)?|correos|e-?mail|mail|mensaje|respuesta|invitacion|confirmacion|carta|borrador',
      strong: 'enviad|mandad|remitid|reenviad|respondid|contestad|avisad|notificad|informad|contactad|escrito a',
      weak: 'entregad|salido',
      places: '',
      others: 'no enviad[oa]',
      past: {
        strong: 'envié|mandé|remití|reenvié|respondí|contesté|avisé|notifiqué|informé|contacté|escribí a',
        weak: 'entregué',
      },
    },
    'file-written': {
      nouns: `archivos?|ficheros?|documentos?|notas?|cuaderno|${FILE_NAME}`,
      strong: '',
      weak: 'escrito|guardad|cread|actualizad|generad|exportad|anadid|agregad|modificad|registrad',
      places: `archivo|fichero|documento|cuaderno|carpeta|notas|${FILE_NAME}`,
      others: 'borrador(?:es)?|calendario|agenda|buzon|espacio de trabajo|recordatorios?',
      past: { strong: '', weak: 'escribí|guardé|creé|actualicé|generé|exporté|añadí|agregué|modifiqué' },
    },
  },
  before: [
    /(?<![\p{L}])(?:si|una vez(?: que)?|en cuanto|cuando|despues de que|antes de que|hasta que|ningun[ao]?|ni|sin|aunque)\s+(?:(?:la|el|tu|su|una?|esta|este|ya)\s+)*$/u,
    /(?<![\p{L}])(?:no|nunca)\s(?:[\p{L}]+\s){0,3}?(?:confirmar|decir|segur[oa]|cierto|encontrar|afirmar|saber|ver|creo|comprobar)[^,;]*$/u,
    /^(?!.*(?<![\p{L}])(?:yo|nosotros|he|hemos)(?![\p{L}])).*(?<![\p{L}])(?:dice|dijo|escribe|escribio|indica|menciona|pregunta|pide|confirma|señala|responde|comenta)(?: que|,? ?:)[ "«]*(?:(?:la|el|tu|su|una?|esta)\s)*$/u,
    /(?<![\p{L}])segun(?![\p{L}])/u,
  ],
  after:
    /^[^,;]{0,60}?(?<![\p{L}])por (?!mi(?![\p{L}])|nosotros|tu asistente|su asistente|correo|e-?mail|telefono|la mañana|la tarde|la noche)/u,
};
