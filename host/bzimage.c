// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bzimage.c - the header of an x86 kernel image, and where its payload is
 */
#include "bzimage.h"

#include <string.h>

#define SECTOR_SIZE	    512u
#define HEADER_END	    0x268u /* behind the last field read here */
#define LOADED_HIGH	    0x01u  /* loadflags */
#define XLF_KERNEL_64	    0x01u  /* xloadflags */
#define BOOT_FLAG	    0xaa55u
#define PROTOCOL_2_08	    0x0208u /* has the payload's place */
#define PROTOCOL_2_12	    0x020cu /* has xloadflags */
#define SETUP_SECTS_DEFAULT 4u	    /* what 0 means, from before 1.3.73 */

static uint32_t le16(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t le32(const uint8_t *bytes)
{
	return le16(bytes) | le16(bytes + 2) << 16;
}

void release_copy(char release[RELEASE_MAX + 1], const uint8_t *text,
		  size_t size)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789.+-_~:";
	size_t len = 0;

	release[0] = '\0';
	while (len < size && len < RELEASE_MAX && text[len] &&
	       strchr(allowed, text[len]))
		len++;
	if (len < size && text[len] && text[len] != ' ')
		return;
	memcpy(release, text, len);
	release[len] = '\0';
}

static void find_payload(struct bzimage *image, const uint8_t *bytes,
			 size_t size, uint64_t setup_size)
{
	uint64_t start = setup_size + le32(bytes + 0x248);
	uint64_t len = le32(bytes + 0x24c);

	if (len > 4 && start + len <= size && start + len <= image->size) {
		image->payload = start;
		image->payload_size = len;
	}
}

bool bzimage_parse(struct bzimage *image, const uint8_t *bytes, size_t size)
{
	uint64_t setup_size, version;

	memset(image, 0, sizeof(*image));
	if (size < HEADER_END || le16(bytes + 0x1fe) != BOOT_FLAG ||
	    memcmp(bytes + 0x202, "HdrS", 4))
		return false;

	image->protocol = (uint16_t)le16(bytes + 0x206);
	image->big = bytes[0x211] & LOADED_HIGH;
	image->known32 = image->protocol >= PROTOCOL_2_12 &&
			 !(le16(bytes + 0x236) & XLF_KERNEL_64);
	setup_size = bytes[0x1f1] ? bytes[0x1f1] : SETUP_SECTS_DEFAULT;
	setup_size = (setup_size + 1) * SECTOR_SIZE;
	image->size = setup_size + (uint64_t)le32(bytes + 0x1f4) * 16;

	version = le16(bytes + 0x20e) + SECTOR_SIZE;
	if (version > SECTOR_SIZE && version < setup_size && version < size)
		release_copy(image->release, bytes + version,
			     (setup_size < size ? setup_size : size) - version);
	if (image->protocol >= PROTOCOL_2_08)
		find_payload(image, bytes, size, setup_size);
	return true;
}
