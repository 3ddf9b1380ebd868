import { expect, test } from 'vitest';
import { detectLanguage } from '../../../engine/src/model/scripted/detect-language.ts';

test.each([
  ['en', 'Our server is down since this morning, please call me back.'],
  ['de', 'Guten Tag, könnten Sie mich bitte heute noch zurückrufen?'],
  ['fr', 'Bonjour, je voudrais annuler ma commande de la semaine dernière.'],
  ['es', 'Hola, ¿podrían enviarme la factura de marzo? Gracias por su ayuda.'],
  ['it', 'Buongiorno, vorrei sapere quando arriva il pacco. Grazie mille.'],
  ['nl', 'Goedemorgen, kunt u mij vandaag terugbellen over de levering?'],
  ['pt', 'Bom dia, gostaria de cancelar a minha encomenda. Obrigado pela ajuda.'],
  ['pl', 'Dzień dobry, proszę o kontakt w sprawie mojego zamówienia.'],
  ['sv', 'Hej, jag vill gärna avboka min beställning från igår.'],
  ['ru', 'Здравствуйте, перезвоните мне, пожалуйста, сегодня вечером.'],
])('a sentence in %s is recognised', async (code, text) => {
  expect(await detectLanguage(text)).toBe(code);
});

test.each(['', '12345', '!!!', 'https://example.com/a/b', '<div></div>'])('"%s" has no language', async (text) => {
  expect(await detectLanguage(text)).toBe('unknown');
});

test('a quoted mail in another language does not count', async () => {
  const quoted = '> Buongiorno, vorrei sapere quando arriva il pacco.\n> Grazie mille per la disponibilità.\n'.repeat(
    3,
  );
  expect(await detectLanguage(`Thank you, we will look into it and call you back.\n\n${quoted}`)).toBe('en');
});
