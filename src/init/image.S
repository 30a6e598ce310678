// The prx-init program as bytes: prx_init_image_begin … prx_init_image_end.
.section .rodata
.global prx_init_image_begin
.global prx_init_image_end
.balign 16
prx_init_image_begin:
.incbin PRX_INIT_IMAGE
prx_init_image_end:
.section .note.GNU-stack,"",%progbits
