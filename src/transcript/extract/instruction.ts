/**
 * Whether a text is shaped like an attempt to instruct the model that reads it. Such texts come from pages and files
 * that people paste, and what they ask to be kept isn't what the person wants to keep.
 */
export function isInstruction(text: string): boolean {
  return SHAPES.some((shape) => shape.test(text));
}

const SHAPES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\s{1,4}(?:(?:all|any|the|your|my|these|those|of)\s{1,4}){0,3}(?:previous|prior|earlier|above|preceding|foregoing|system|safety)\s{1,4}(?:\w{1,20}\s{1,4})?(?:instructions?|prompts?|rules?|messages?|context|guidelines?|directions?)\b/i,
  /\b(?:ignoriere?|vergiss|missachte)\s{1,4}(?:(?:alle|die|deine|diese)\s{1,4}){0,2}(?:vorherigen|bisherigen|obigen|früheren)\s{1,4}(?:anweisungen|regeln|instruktionen)/i,
  /\b(?:ignore[zr]?|oublie[zr]?)\s{1,4}(?:(?:toutes|tous|les|tes|vos|ces)\s{1,4}){0,3}(?:instructions?|consignes?|règles)\s{1,4}(?:précédentes|antérieures)/i,
  /\b(?:ignora|olvida|ignore)\s{1,4}(?:(?:todas|las|tus|estas)\s{1,4}){0,3}(?:instrucciones|reglas)\s{1,4}(?:anteriores|previas)/i,
  /\b(?:reveal|print|repeat|leak)\s{1,4}(?:(?:me|us|the|your)\s{1,4}){0,2}(?:system|hidden|secret|initial)\s{1,4}(?:prompt|instructions?)\b/i,
  /\byou\s{1,4}are\s{1,4}now\s{1,4}(?:an?\s{1,4})?(?:DAN\b|unrestricted|jailbroken|in\s{1,4}developer\s{1,4}mode)/i,
  /\b(?:note|message|instructions?)\s{1,4}(?:to|for)\s{1,4}(?:the\s{1,4}|any\s{1,4}|all\s{1,4})?(?:AI|LLM|(?:AI|language|LLM)\s{1,4}(?:assistants?|models?|agents?))\b\s{0,4}:/i,
  /<\|(?:im_start|im_end|system|eot_id|start_header_id)\|>|\[\/?INST\]|<<SYS>>/,
  /^\s{0,8}#{0,6}\s?(?:new |updated )?system (?:prompt|message|instructions?|override)\s{0,4}:/im,
];
